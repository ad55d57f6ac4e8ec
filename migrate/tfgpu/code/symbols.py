"""What imported thing a name or expression refers to, such as a symbol of TensorFlow."""

from __future__ import annotations

import ast
from collections.abc import Collection, Container, Iterator
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.dotted import base_of, split_name
from tfgpu.code.index import Binding, Import, Scope, Variable
from tfgpu.code.names import Variables
from tfgpu.code.tree import Tree, last_name

# Functions that return the module that they are given the name of, by their last names.
_IMPORTERS = frozenset(["import_module", "importorskip", "lazy_import", "try_import"])
# Classes and functions that make something which imports its module when it is used first.
_LAZY_MODULES = frozenset(["LazyLoader", "LazyModule", "LazyImport", "_LazyLoader"])
_BY_STRING = frozenset(["getattr", "__import__", *_IMPORTERS, *_LAZY_MODULES])


class Symbols(Variables):
    """The symbols of one file, or of several that import each other."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._paths: dict[Variable, frozenset[str]] = {}
        self._open: set[Variable] = set()
        self._running: set[ast.FunctionDef] = set()
        # What was asked for before: every part of the analysis asks for the same expressions.
        self._by_node: dict[ast.expr, frozenset[str]] = {}
        self._by_text: dict[tuple[Scope | Tree, str, str], frozenset[str]] = {}
        self._names: dict[ast.expr, str | None] = {}
        # What is called and certainly refers to nothing imported.
        self._own: set[ast.expr] = set()
        self._calls: dict[Tree, list[tuple[ast.Call, str]]] = {}
        self._sources: dict[Scope, frozenset[str] | None] = {}

    def calls(self, tree: Tree) -> list[tuple[ast.Call, str]]:
        """Return every call in the files, or one of them, of what has one canonical name.

        They come with that name, in the order of the source.
        """
        if tree not in self._calls:
            self._calls[tree] = (
                list(self._named_calls(tree))
                if tree.files[0] is tree
                else [item for file in tree.files for item in self.calls(file)]
            )
        return self._calls[tree]

    def _named_calls(self, tree: Tree) -> Iterator[tuple[ast.Call, str]]:
        for call in tree.calls:
            function = call.func
            if not self._may_be_imported(function, tree):
                self._own.add(function)
                self._names[function] = None
                self._by_node[function] = frozenset()
            elif (name := self.name(function)) is not None:
                yield call, name

    def calls_of(self, tree: Tree, words: Collection[str]) -> list[ast.Call]:
        """Return the calls of some canonical names, or of names that are written so, in order."""
        found = {call for call, name in self.calls(tree) if name in words}
        for word in words:
            for name in tree.names.get(word, ()):
                call = tree.parent[name]
                if isinstance(call, ast.Call) and call.func is name:
                    found.add(call)
        return [call for call in tree.calls if call in found] if found else []

    def readers(self, tree: Tree, more: Container[str] = ()) -> Iterator[ast.Name]:
        """Yield the names of a file that may refer to something imported, or are in `more`."""
        sources = self._sources_of(tree)
        for word, names in tree.names.items():
            if sources is None or word in sources or word in more:
                yield from names

    def imported_parts(self) -> set[ast.expr]:
        """Return the names and attributes of all files that may refer to something imported."""
        parent = self._tree.parent
        found: set[ast.expr] = set()
        for tree in self._tree.files:
            starts: list[ast.expr] = [*self.readers(tree)]
            # `import_module("name").attribute`
            starts += (
                call
                for call in tree.calls
                if isinstance(parent[call], ast.Attribute) and self.paths(call)
            )
            for start in starts:
                if isinstance(start, ast.Name):
                    found.add(start)
                node = parent.get(start)
                while isinstance(node, ast.Attribute):
                    found.add(node)
                    node = parent.get(node)
        return found

    def _may_be_imported(self, node: ast.expr, tree: Tree) -> bool:
        """Tell whether an expression of a file may refer to something imported."""
        node = base_of(node)
        if not isinstance(node, ast.Name):
            return isinstance(node, ast.Call)
        sources = self._sources_of(tree)
        return sources is None or node.id in sources

    def _sources_of(self, tree: Tree) -> frozenset[str] | None:
        """Return the names of a file that may refer to something imported; None for any name."""
        if tree.root not in self._sources:
            self._sources[tree.root] = None if tree.star_imports else self._find_sources(tree)
        return self._sources[tree.root]

    def _find_sources(self, tree: Tree) -> frozenset[str]:
        found = {item.name for item in tree.imports}
        left = [(name, value) for name, values in tree.given.items() for value in values]
        while True:
            more = {name for name, value in left if self._is_source(value, tree, found)}
            if not more:
                return frozenset(found)
            found |= more
            left = [(name, value) for name, value in left if name not in found]

    def _is_source(self, value: ast.expr, tree: Tree, known: Container[str]) -> bool:
        value = base_of(value)
        if isinstance(value, ast.Call):
            return self._may_give(value, tree, known)
        return isinstance(value, ast.Name) and value.id in known

    def _may_give(self, call: ast.Call, tree: Tree, known: Container[str]) -> bool:
        """Tell whether a call may return something imported; `known` are names that refer to such.

        It does so by a string, or it is a call of a function of the files.
        """
        function = call.func
        if isinstance(function, ast.Name):
            name = function.id
            return name in _BY_STRING or name in tree.functions or name in known
        return isinstance(function, ast.Attribute) and (
            function.attr in _BY_STRING or self.variable(function) is not None
        )

    def paths(self, node: ast.expr) -> frozenset[str]:
        """Return the dotted import paths that an expression can refer to; empty if unknown."""
        found = self._by_node.get(node)
        if found is None:
            found = self._find_paths(node)
            # Else it may be a part of what is being found out.
            if not self._open and not self._running:
                self._by_node[node] = found
        return found

    def _find_paths(self, node: ast.expr) -> frozenset[str]:
        base, tail = split_name(node)
        if base is None:
            call = base_of(node)
            found = self._returned(call) if isinstance(call, ast.Call) else None
            return frozenset(path + tail for path in found or ())
        sources = self._sources_of(self._tree.file(base))
        if sources is not None and base.id not in sources:
            return frozenset()
        # Expressions that are written alike refer to the same where their name is the same one.
        owner = self._tree.owner(base.id, self._tree.scope(base))
        key = (owner or self._tree.file(base), base.id, tail)
        known = self._by_text.get(key)
        if known is None:
            known = self._find_dotted(node, base, tail)
            if not self._open and not self._running:
                self._by_text[key] = known
        return known

    def _find_dotted(self, node: ast.expr, base: ast.Name, tail: str) -> frozenset[str]:
        inner = node
        may_be_file = self._import_of(base) is not None
        while may_be_file and isinstance(inner, ast.Attribute):
            variable = self.variable(inner)
            if variable is not None:
                # A name in a module of the files: what it refers to is written there.
                behind = tail.removeprefix(split_name(inner)[1])
                return frozenset(path + behind for path in self._known(variable))
            inner = inner.value
        return frozenset(path + tail for path in self._base(base))

    def name(self, node: ast.expr) -> str | None:
        """Return the one canonical name that an expression refers to."""
        if node not in self._names:
            name = self._find_name(node)
            if self._open or self._running:
                return name
            self._names[node] = name
        return self._names[node]

    def _find_name(self, node: ast.expr) -> str | None:
        paths = self.paths(node)
        if not paths:
            return None
        names = set(map(canonical, paths))
        return names.pop() if len(names) == 1 else None

    def one_of(self, node: ast.expr, known: Container[str]) -> str | None:
        """Return which of the known canonical names an expression refers to.

        The name of something in one of the files is the path that it is imported by.
        """
        name = self.name(node)
        if name is None and node not in self._own and len(self._tree.files) > 1:
            base, tail = split_name(node)
            owner = self._tree.owner(base.id, self._tree.scope(base)) if base is not None else None
            paths: set[str | None] = set()
            if base is not None and owner is not None and not self._starred_over((owner, base.id)):
                paths = {binding.path for binding in owner.bindings[base.id]}
            path = paths.pop() if len(paths) == 1 else None
            name = None if path is None else canonical(path + tail)
        return name if name is not None and name in known else None

    def imported(self, item: Import) -> frozenset[str]:
        """Return the dotted paths that an imported name can refer to."""
        owner = self._tree.owner(item.name, item.scope)
        return self._known(self._followed((owner, item.name))) if owner is not None else frozenset()

    def assigned(self, scope: Scope, name: str) -> frozenset[str]:
        """Return the dotted paths that a variable of a scope can refer to."""
        return self._known(self._followed((scope, name)))

    def _base(self, name: ast.Name) -> frozenset[str]:
        variable = self.variable(name)
        if variable is None:
            stars = self._tree.file(name).star_imports.values()
            found = (module for module in stars if canonical(module) == "tf")
            return frozenset(f"{module}.{name.id}" for module in found)
        return self._known(variable)

    def _known(self, variable: Variable) -> frozenset[str]:
        if variable in self._open:
            # What a function returns that calls itself.
            return frozenset()
        if variable not in self._paths:
            self._open.add(variable)
            self._paths[variable] = self._variable(variable[0].bindings[variable[1]])
            self._open.remove(variable)
        return self._paths[variable]

    def _variable(self, bindings: list[Binding]) -> frozenset[str]:
        """Return what a variable can refer to; empty if one of its bindings is unknown."""
        found: set[str] = set()
        for binding in bindings:
            paths = self._binding(binding)
            if paths is None:
                return frozenset()
            found |= paths
        # Assigned from itself, as in `tf = tf.compat.v1`.
        values = [one.value for one in bindings if one.value and self._is_open(one.value)]
        tails = {split_name(value)[1] for value in values}
        found |= {path + tail for path in found for tail in tails if not path.endswith(tail)}
        return frozenset(found)

    def _is_open(self, value: ast.expr) -> bool:
        """Tell whether a value is of the variable of which the paths are being found out."""
        base, _ = split_name(value)
        return base is not None and self.variable(base) in self._open

    def _binding(self, binding: Binding) -> frozenset[str] | None:
        """Return what a binding refers to; empty where others decide, None if unknown."""
        if binding.path is not None:
            target = self._target(binding)
            if target is None:
                return frozenset([binding.path])
            return frozenset() if target in self._open else self._known(target) or None
        if binding.value is None:
            return None
        if isinstance(binding.value, ast.Constant) and binding.value.value is None:
            # A failed import.
            return frozenset()
        if isinstance(binding.value, ast.Call):
            return self._returned(binding.value)
        if self._is_open(binding.value):
            return frozenset()
        return self.paths(binding.value) or None

    def _returned(self, call: ast.Call) -> frozenset[str] | None:
        """Return what a call certainly returns, if that is a module or a name of one.

        So do a function of the files that imports and returns it, as in `tf = import_tf()`, the
        usual functions that import by a string, and `getattr(tf, "Session")`.
        """
        named = self._by_string(call)
        if named:
            return named
        function = self.definition(call.func)
        return self.returned(function) if isinstance(function, ast.FunctionDef) else None

    def returned(self, function: ast.FunctionDef) -> frozenset[str] | None:
        """Return what a function certainly returns, if that is a module or a name of one."""
        # One that is running returns what comes of a call of its own.
        if function.decorator_list or function in self._running:
            return None
        returned = self._returns(function)
        self._running.add(function)
        found = {self.paths(value) if value is not None else frozenset() for value in returned}
        self._running.discard(function)
        return (found.pop() or None) if len(found) == 1 else None

    def string_import(self, node: ast.expr) -> ast.Call | None:
        """Return the call that imports, by a string, the module that an expression is a name of."""
        waiting = [node]
        seen: set[ast.AST] = set()
        while waiting:
            base = waiting.pop()
            call = base_of(base)
            name, _ = split_name(base)
            if isinstance(call, ast.Call) and call not in seen:
                seen.add(call)
                if self._by_string(call):
                    if getattr(call.func, "id", "") != "getattr":
                        return call
                    waiting.append(call.args[0])
                else:
                    waiting += self._results(call)
            for binding in self.bindings(name) if name is not None else ():
                if binding.value is not None and binding.node not in seen:
                    seen.add(binding.node)
                    waiting.append(binding.value)
        return None

    def _results(self, call: ast.Call) -> list[ast.expr]:
        """Return the expressions that a call of a function of the files may return."""
        function = self.definition(call.func)
        if not isinstance(function, ast.FunctionDef):
            return []
        return [value for value in self._returns(function) if value is not None]

    def _returns(self, function: ast.FunctionDef) -> list[ast.expr | None]:
        """Return the expressions that a function returns itself; None where it returns nothing."""
        return self._returned_by.get(function, [])

    @cached_property
    def _returned_by(self) -> dict[ast.AST, list[ast.expr | None]]:
        found: dict[ast.AST, list[ast.expr | None]] = {}
        for node in self._tree.nodes(ast.Return):
            found.setdefault(self._tree.function(node).node, []).append(node.value)
        return found

    def _by_string(self, call: ast.Call) -> frozenset[str]:
        """Return what a call gets by a name that is written out, if it is a call of that kind."""
        strings = [
            item.value
            for item in call.args
            if isinstance(item, ast.Constant) and isinstance(item.value, str)
        ]
        function = call.func
        last = last_name(function)
        is_builtin = isinstance(function, ast.Name) and self.variable(function) is None
        if is_builtin and last == "getattr" and len(call.args) == 2 and len(strings) == 1:
            return frozenset(f"{path}.{strings[0]}" for path in self.paths(call.args[0]))
        if is_builtin and last == "__import__" and strings and len(call.args) == 1:
            return frozenset([strings[0].partition(".")[0]])
        if last in _IMPORTERS and len(call.args) == 1 and not call.keywords:
            return frozenset(item for item in strings if not item.startswith("."))
        if last in _LAZY_MODULES and strings:
            return frozenset([strings[-1]])
        return frozenset()
