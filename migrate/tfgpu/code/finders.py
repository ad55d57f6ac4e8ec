"""What a program finds by strings: `getattr(x, name)`, `globals()[name]`, `eval`, entry points.

A function or class that is found in this way may run at any time. A literal name finds whatever
has that name; a computed one finds what its object can have: a library nothing of the files, `self`
the methods of its classes, `globals()` the names of its module, anything else any method, and any
function too where modules of the files are handed around as objects.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tfgpu.code.classes import Classes
from tfgpu.code.dotted import base_of
from tfgpu.code.dynamic import BY_NAMES, OBJECT_FINDERS, DynamicImports
from tfgpu.code.lookups import ATTRIBUTES, BY_NAME, IDENTIFIER, NAMESPACES, RUNS_TEXT
from tfgpu.code.origins import Origins
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name

# The usual names of the options of a program: an object with values, and no functions.
_OPTIONS = frozenset(["flags", "args", "opts", "opt", "options", "hparams", "namespace"])


class Finders(DynamicImports):
    """Code that finds functions, classes and modules of the files by a string, or by `exec`."""

    def __init__(self, tree: Tree, symbols: Symbols, classes: Classes) -> None:
        super().__init__(tree, symbols)
        self.classes = classes

    @cached_property
    def origins(self) -> Origins:
        """Where objects of the files come from: the same ones for all parts of an analysis."""
        return Origins(self._tree, self._symbols, self.classes)

    def finds(self, node: ast.FunctionDef | ast.ClassDef) -> bool:
        """Tell whether a program may find a function or class by a string."""
        name = node.name
        if name in self._named or self._finds_any:
            return True
        if self._finds_objects and name in self._words:
            return True
        scope = self._tree.scope(node)
        if isinstance(scope.node, ast.ClassDef):
            return self._finds_any_method or scope.node in self._searched_classes
        if self._finds_any_method and self.modules_are_objects:
            return True
        return any(self._holds(file, name) for file in self._searched_modules)

    def _holds(self, file: Tree, name: str) -> bool:
        """Tell whether a module may have something of the files by a name of its own."""
        return bool(file.star_imports) or any(
            spelling in file.root.bindings for spelling in self._symbols.spellings(name)
        )

    @cached_property
    def _finds_objects(self) -> bool:
        """Whether a library is asked to find something by a text, or a text is run."""
        return bool(self.texts) or any(
            name in OBJECT_FINDERS for _, name in self._symbols.calls(self._tree)
        )

    @cached_property
    def _finds_any_method(self) -> bool:
        """Whether something is found by a computed name in an object that is not known."""
        return any(map(self._is_unknown, self._computed))

    def _is_unknown(self, node: ast.expr) -> bool:
        """Tell whether a lookup by a computed name may find something in any object."""
        name = self._builtin_name(node)
        if name not in (*ATTRIBUTES, "vars", "") or not self._object(node):
            return name not in NAMESPACES
        target = self._object(node)
        return (isinstance(node, ast.Call) and self._symbols.name(node.func) in BY_NAME) or not (
            target is None or self.is_known(target)
        )

    def is_known(self, target: ast.expr) -> bool:
        """Tell whether it is known whose names a lookup by a computed name may find."""
        if isinstance(target, ast.Constant | ast.JoinedStr):
            return True
        name = last_name(target)
        return (
            name.lower() in _OPTIONS
            or self._symbols.module(target) is not None
            or self._is_library(target)
            or self._own_class(target) is not None
        )

    def _is_library(self, target: ast.expr) -> bool:
        """Tell whether an expression is a module that is none of the files, or a part of one."""
        base = base_of(target)
        bindings = self._tree.bindings(base) if isinstance(base, ast.Name) else []
        return (
            bool(bindings)
            and all(_is_outside(item.path) for item in bindings)
            and self._symbols.variable(target) is None
        )

    def _own_class(self, target: ast.expr) -> ast.ClassDef | None:
        """Return the class whose `self`, or which itself, an expression is."""
        if not isinstance(target, ast.Name):
            return None
        return self.classes.of_self(target) or self.classes.named(target)

    @cached_property
    def _searched_classes(self) -> frozenset[ast.ClassDef]:
        """The classes that something is found in by a computed name, with their relatives."""
        found: set[ast.ClassDef] = set()
        for node in self._computed:
            target = self._object(node)
            own = self._own_class(target) if target is not None else None
            if own is not None and self._builtin_name(node) not in RUNS_TEXT:
                found |= self.classes.relatives(own)
        for node in self._computed:
            # The names of a class are those of its body.
            if self._builtin_name(node) in NAMESPACES and self._object(node) is None:
                around = self._tree.scope(node).node
                if isinstance(around, ast.ClassDef):
                    found.add(around)
        return frozenset(found)

    @cached_property
    def _searched_modules(self) -> tuple[Tree, ...]:
        """The modules that something is found in by a computed name."""
        found: dict[Tree, None] = {}
        for node in self._computed:
            target = self._object(node)
            name = self._builtin_name(node)
            at_top = self._tree.function(node).kind == "module"
            if target is None and name in NAMESPACES and (at_top or name == "globals"):
                found[self._tree.file(node)] = None
            module = self._symbols.module(target) if target is not None else None
            if module is not None:
                found[module] = None
        return tuple(found)

    @cached_property
    def modules_are_objects(self) -> bool:
        """Whether a module of the files may be what a variable, or a parameter, holds."""
        imported = list(filter(self._imports, self._symbols.calls_of(self._tree, BY_NAMES)))
        if any(not self._is_only_read(node) for node in (*self.dynamic, *imported)):
            return True
        if any(
            self._symbols.name(node) == "sys.modules"
            for node in self._tree.attributes.get("modules", [])
        ) or any(item.path == "__main__" for item in self._tree.imports):
            return True
        of_classes = (item for item in self._tree.imports if item.scope.kind == "class")
        if any(self._tree.linked(item) is not None for item in of_classes):
            return True
        names = {item.name for item in self._tree.imports}
        return any(
            isinstance(node.ctx, ast.Load) and self._is_object(node)
            for name in names
            for node in self._tree.names.get(name, [])
        )

    def _is_object(self, node: ast.expr) -> bool:
        """Tell whether an expression names a module of the files, and no name of it is read."""
        parent = self._tree.parent[node]
        if isinstance(parent, ast.Attribute):
            return self._symbols.module(parent) is not None and self._is_object(parent)
        return self._symbols.module(node) is not None

    def unknown_reads(self, name: str) -> Iterator[ast.Attribute]:
        """Yield what may read a name of a module that is reached in a way that is not followed."""
        for node in self._tree.attributes.get(name, []):
            paths = self._symbols.paths(node)
            unknown = self._symbols.variable(node) is None and (
                not paths or self.may_be_file(paths)
            )
            of_self = isinstance(node.value, ast.Name) and self.classes.of_self(node.value)
            if unknown and not of_self and self.may_be_module(node.value):
                yield node

    def script_imports(self, name: str) -> Iterator[ast.stmt]:
        """Yield the statements that import a name from whichever script runs."""
        return (item.statement for item in self._tree.imports if item.path == f"__main__.{name}")

    def may_be_module(self, node: ast.expr) -> bool:
        """Tell whether an expression may refer to a module in a way that is not followed."""
        if not isinstance(node, ast.Name):
            return (
                isinstance(node, ast.Call | ast.Subscript)
                or self.modules_are_objects
                or (isinstance(node, ast.Attribute) and self._is_of_module(node.value))
            )
        bindings = self._tree.bindings(node)
        if not bindings:
            # `from package import *` brings the modules of the package, too.
            return bool(self._tree.starred(self._tree.file(node)))
        return any(
            item.kind == "import" or isinstance(item.value, ast.Call) or self.modules_are_objects
            for item in bindings
        )

    def _is_of_module(self, node: ast.expr) -> bool:
        """Tell whether an expression names a module of the files, or something in one."""
        while isinstance(node, ast.Attribute) and self._symbols.module(node) is None:
            node = node.value
        return self._symbols.module(node) is not None

    def _imports(self, call: ast.Call) -> bool:
        """Tell whether a call returns a module, by a name that is written there or not."""
        name = self._tree.builtin(call.func) or self._symbols.name(call.func)
        return name in BY_NAMES

    def _is_only_read(self, node: ast.expr) -> bool:
        """Tell whether of what an expression gives only attributes are read, by their names."""
        parent = self._tree.parent[node]
        if isinstance(parent, ast.Attribute | ast.Expr):
            return True
        if not isinstance(parent, ast.Assign) or not all(
            isinstance(target, ast.Name) for target in parent.targets
        ):
            return False
        return all(
            isinstance(self._tree.parent[use], ast.Attribute)
            for target in parent.targets
            if isinstance(target, ast.Name)
            for use in self._tree.names.get(target.id, [])
            if isinstance(use.ctx, ast.Load)
            and self._tree.bindings(use) is self._tree.bindings(target)
        )

    @cached_property
    def _words(self) -> frozenset[str]:
        """Every name in a string of the files, apart from those that stand alone."""
        return frozenset(_words_of(self._tree))


def _is_outside(path: str | None) -> bool:
    """Tell whether an import is that of a library, where it is of no file."""
    return path is not None and path != "__main__" and not path.startswith(".")


def _words_of(tree: Tree) -> Iterator[str]:
    for node in tree.nodes(ast.Constant):
        if isinstance(node.value, str) and not isinstance(tree.parent[node], ast.Expr):
            yield from IDENTIFIER.findall(node.value)
