"""Which variable a name refers to, in whichever of the files that import each other."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property

from tfgpu.code.canonical import canonical
from tfgpu.code.dotted import split_name
from tfgpu.code.index import Binding, Import, Scope, Variable
from tfgpu.code.tree import Tree
from tfgpu.dataclass import replace


class Variables:
    """The variables of one file, or of several that import each other."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._variables: dict[ast.expr, Variable | None] = {}
        self._modules: dict[tuple[Import, str], Tree | None] = {}
        # The names of modules that come from one of several star imports.
        self._unsure: dict[Tree, Scope] = {}
        self._over: dict[Variable, Variable | None] = {}

    def variable(self, node: ast.expr) -> Variable | None:
        """Return the variable that a name, or a name in a module, refers to, in whichever file."""
        if node not in self._variables:
            self._variables[node] = self._find_variable(node)
        return self._variables[node]

    def _find_variable(self, node: ast.expr) -> Variable | None:
        if isinstance(node, ast.Name):
            owner = self._tree.owner(node.id, self._tree.scope(node))
            if owner is not None:
                return self._followed((owner, node.id))
            return self.starred(self._tree.file(node), node.id)
        if isinstance(node, ast.Attribute):
            module = self.module(node.value)
            if module is not None and node.attr in module.root.bindings:
                return self._followed((module.root, node.attr))
            if module is not None:
                return self.starred(module, node.attr)
        return None

    def alternatives(self, node: ast.expr) -> list[Variable | str]:
        """Return what a name may be: variables, and paths of what is in no file.

        One of a module may be of any of those that its imports bind; none is known if other
        statements bind it, too.
        """
        variable = self.variable(node)
        if variable is not None:
            return [variable]
        base, tail = split_name(node)
        found: list[Variable | str] = []
        for binding in self._tree.bindings(base) if base is not None else ():
            item = self._tree.imported.get(binding.node)
            if item is None:
                return []
            path = item.path + tail
            linked = self._tree.linked(replace(item, path=path))
            if linked is None:
                found.append(path)
            elif linked[1] in linked[0].root.bindings:
                found.append(self._followed((linked[0].root, linked[1])))
            else:
                return []
        return found

    def bindings(self, node: ast.expr) -> list[Binding]:
        """Return every place that binds the variable that an expression refers to."""
        variable = self.variable(node)
        return variable[0].bindings[variable[1]] if variable is not None else []

    def definition(self, node: ast.expr) -> ast.AST | None:
        """Return what alone binds the variable that an expression refers to."""
        bindings = self.bindings(node)
        return bindings[0].node if len(bindings) == 1 else None

    def uses(self, variable: Variable) -> Iterator[ast.expr]:
        """Yield every expression that reads a variable: of one of a class those in its body."""
        name = variable[1]
        for spelling in sorted(self.spellings(name)):
            for node in self._tree.names.get(spelling, []):
                if isinstance(node.ctx, ast.Load) and self.variable(node) == variable:
                    yield node
        if len(self._tree.files) > 1:
            for attribute in self._tree.attributes.get(name, []):
                if isinstance(attribute.ctx, ast.Load) and self.variable(attribute) == variable:
                    yield attribute

    def spellings(self, name: str) -> set[str]:
        """Return every name that files may import something of a name by."""
        names = {name}
        waiting = [name] if len(self._tree.files) > 1 else []
        while waiting:
            more = self._aliases.get(waiting.pop(), set()) - names
            names |= more
            waiting += more
        return names

    @cached_property
    def _aliases(self) -> dict[str, set[str]]:
        """The names that imports give to what has another name in its module."""
        found: dict[str, set[str]] = {}
        for item in self._tree.imports:
            last = item.path.rpartition(".")[2]
            if last != item.name:
                found.setdefault(last, set()).add(item.name)
        return found

    def is_replaced(self, variable: Variable) -> bool:
        """Tell whether another file assigns to a variable: `module.name = ...`."""
        return next(self.replacements(variable), None) is not None

    def replacements(self, variable: Variable) -> Iterator[ast.Attribute]:
        """Yield what other files assign to a variable by, in its module or in one that has it."""
        for name in sorted(self.spellings(variable[1])) if len(self._tree.files) > 1 else ():
            for attribute in self._tree.attributes.get(name, []):
                if not isinstance(attribute.ctx, ast.Load):
                    found, inner = self.variable(attribute), attribute.value
                    # A module in another one may be any: `main.settings.config = ...`.
                    is_deep = isinstance(inner, ast.Attribute) and self.module(inner.value)
                    if found == variable or (found is None and is_deep):
                        yield attribute

    def users(self, variable: Variable) -> list[Tree]:
        """Return the other files that import a variable, or read it in its module."""
        home = self._tree.file(variable[0].node)
        nodes: list[ast.AST] = list(self.uses(variable))
        if len(self._tree.files) > 1:
            nodes += [
                item.statement
                for item in self._imports_of([variable[1]])
                if variable in map(self._target, self._tree.bound(item))
            ]
        found = [self._tree.file(node) for node in nodes]
        return [tree for tree in dict.fromkeys(found) if tree is not home]

    def importers(self, variable: Variable) -> Iterator[Import]:
        """Yield the imports of a variable in other files, whatever else their names hold."""
        names = self.spellings(variable[1])
        for item in self._imports_of(names) if len(self._tree.files) > 1 else ():
            targets = map(self._target, self._tree.bound(item))
            if any(found and self._followed(found) == variable for found in targets):
                yield item

    def _imports_of(self, names: Iterable[str]) -> list[Import]:
        """Return the imports of something that has one of some names in its module, in order."""
        numbers = sorted(number for name in names for number in self._import_numbers.get(name, ()))
        return [self._tree.imports[number] for number in numbers]

    @cached_property
    def _import_numbers(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, item in enumerate(self._tree.imports):
            found.setdefault(item.path.rpartition(".")[2], []).append(number)
        return found

    def is_renamed(self, name: str) -> bool:
        """Tell whether a file imports something of a name from a module by another name."""
        return any(item.name != name and "." in item.path for item in self._imports_of([name]))

    def reexports(self, variable: Variable) -> Iterator[tuple[Tree, str]]:
        """Yield the other files that have a variable among the names of their module."""
        for item in self.importers(variable):
            if item.scope.kind == "module":
                yield self._tree.file(item.statement), item.name
        for tree in self._tree.files if variable[0].kind == "module" else ():
            found = self._tree.star_binders(tree, variable[1])
            if tree.root is not variable[0] and any(
                module is not None and self._followed((module.root, variable[1])) == variable
                for module in found
            ):
                yield tree, variable[1]

    def _followed(self, variable: Variable) -> Variable:
        """Follow a variable that imports alone bind to what it is in the other file."""
        seen = {variable}
        while True:
            scope, name = variable
            bindings = scope.bindings[name]
            target = self._starred_over(variable)
            if target is None:
                # `from .conf import make`, and `from conf import make` where that fails.
                targets = {self._target(binding) for binding in bindings}
                target = targets.pop() if len(targets) == 1 else None
            if target is None or target in seen:
                return variable
            seen.add(target)
            variable = target

    def _target(self, binding: Binding) -> Variable | None:
        """Return the variable of another file that a binding imports."""
        item = self._tree.imported.get(binding.node)
        found = self._tree.linked(item) if item is not None else None
        if found is None or not found[1]:
            return None
        if found[1] in found[0].root.bindings:
            variable = found[0].root, found[1]
            return self._starred_over(variable) or variable
        return self._in_stars(found[0], found[1])

    def _starred_over(self, variable: Variable) -> Variable | None:
        """Return what a variable of a module is after `from module import *` behind all it is.

        A module of a package becomes a variable of the package, too, by any import of it.
        """
        owner, name = variable
        tree = self._tree.file(owner.node)
        if owner is not tree.root or not (tree.star_imports or tree.is_package):
            return None
        if variable not in self._over:
            self._over[variable] = None  # as long as it is found out, where files import in a ring
            self._over[variable] = self._find_over(tree, name, owner.bindings[name])
        return self._over[variable]

    def _find_over(self, tree: Tree, name: str, bindings: list[Binding]) -> Variable | None:
        imports = [self._tree.imported.get(item.node) for item in bindings]
        after = max((getattr(item.node, "lineno", 0) for item in bindings), default=0)
        starred = self._tree.starred(tree, after)
        packages = (item for item in starred if item.star_brings(name) is not False)
        if any(self._tree.has_submodule(package, name) for package in (tree, *packages)):
            return self._not_sure(tree, name)
        if all(item is not None and self._tree.linked(item) is None for item in imports):
            after = after if tree.always_binds(name) else 0
            others = [
                (module.root, name) if module is not None else None
                for module in self._tree.star_binders(tree, name, after)
            ]
            if all(other is None or self._is_alike(other, bindings) for other in others):
                return None  # `import tensorflow as tf` is so in the other file, too, as a rule
        return self._in_stars(tree, name, after)

    def _is_alike(self, variable: Variable, bindings: list[Binding]) -> bool:
        """Tell whether a variable is imported from where some bindings import theirs."""
        scope, name = self._followed(variable)
        paths = {canonical(item.path or "") for item in bindings}
        return all(
            item.path is not None and canonical(item.path) in paths for item in scope.bindings[name]
        )

    def starred(self, tree: Tree, name: str) -> Variable | None:
        """Return what a variable is that comes with `from module import *`."""
        found = self._in_stars(tree, name)
        return None if found is None else self._followed(found)

    def _in_stars(self, tree: Tree, name: str, after: int = 0) -> Variable | None:
        """Return a variable that comes with `from module import *`, through any number of them.

        Only those behind a line count. One that may come from several modules is none of theirs.
        """
        modules = self._tree.star_binders(tree, name, after)
        if not any(modules):
            return None
        if len(modules) == 1 and modules[0] is not None:
            return modules[0].root, name
        return self._not_sure(tree, name)

    def _not_sure(self, tree: Tree, name: str) -> Variable:
        """Return a variable that stands for a name of a module which may be one of several."""
        scope = self._unsure.setdefault(tree, Scope("module", tree.module, None))
        nodes: list[ast.AST] = [*tree.star_imports] or [tree.module]
        scope.bindings.setdefault(name, [Binding("other", node) for node in nodes])
        return scope, name

    def module(self, node: ast.expr) -> Tree | None:
        """Return the module of the files that an expression names."""
        base, tail = split_name(node)
        item = self._import_of(base) if base is not None else None
        if item is None:
            return None
        if (item, tail) not in self._modules:
            found = self._tree.linked(replace(item, path=item.path + tail))
            is_module = found is not None and not found[1]
            self._modules[item, tail] = found[0] if found is not None and is_module else None
        return self._modules[item, tail]

    def _import_of(self, base: ast.Name) -> Import | None:
        """Return an import that alone binds a name, or others of the same file: one of several."""
        if len(self._tree.files) == 1:
            return None
        owner = self._tree.owner(base.id, self._tree.scope(base))
        bindings = owner.bindings[base.id] if owner is not None else []
        items = [self._tree.imported.get(binding.node) for binding in bindings]
        first = items[0] if items else None
        if owner is None or first is None or self._starred_over((owner, base.id)) is not None:
            return None
        linked = self._tree.linked(first) if len(items) > 1 else None
        others = (item is not None and self._tree.linked(item) == linked for item in items[1:])
        return first if len(items) == 1 or (linked is not None and all(others)) else None
