"""Classes of the files: whose `self` it is, what they inherit, and which have objects in common."""

from __future__ import annotations

import ast
from functools import cached_property

from migrate.analysis.symbols import Symbols
from migrate.analysis.tree import Binding, Tree


class Classes:
    """The classes of one file, or of several that are read as one."""

    def __init__(self, tree: Tree, symbols: Symbols) -> None:
        self._tree = tree
        self._symbols = symbols
        self._lines: dict[ast.ClassDef, frozenset[ast.ClassDef]] = {}

    def self_class(self, node: ast.Attribute) -> ast.ClassDef | None:
        """Return the class whose `self` an attribute belongs to."""
        if not isinstance(node.value, ast.Name):
            return None
        scope = self._tree.owner(node.value.id, self._tree.scope(node))
        if scope is None or not isinstance(scope.node, ast.FunctionDef):
            return None
        if any(self._is_static(item) for item in scope.node.decorator_list):
            return None
        arguments = scope.node.args.posonlyargs + scope.node.args.args
        around = self._tree.parent[scope.node]
        is_self = bool(arguments) and arguments[0].arg == node.value.id
        return around if is_self and isinstance(around, ast.ClassDef) else None

    def _is_static(self, decorator: ast.expr) -> bool:
        return (
            isinstance(decorator, ast.Name)
            and decorator.id == "staticmethod"
            and not self._tree.bindings(decorator)
        )

    def method_class(self, node: ast.Attribute) -> ast.ClassDef | None:
        """Return the class that defines what is read from `self`, or from a class by its name.

        Goes up through classes that have one base each; behind an unknown base nothing is certain.
        """
        found = self.self_class(node) or self._named(node.value)
        seen: set[ast.ClassDef] = set()
        while found is not None and found not in seen:
            if node.attr in self._members(found):
                return found
            seen.add(found)
            found = self._named(found.bases[0]) if len(found.bases) == 1 else None
        return None

    def member(self, node: ast.Attribute) -> list[Binding]:
        """Return what binds the name that is read from `self`, or from a class, in its body."""
        owner = self.method_class(node)
        return self._members(owner)[node.attr] if owner is not None else []

    def attribute_class(self, node: ast.Attribute) -> ast.ClassDef | None:
        """Return the class whose `self` an attribute belongs to; the highest one that uses it."""
        found = self.self_class(node)
        seen: set[ast.ClassDef] = set()
        highest = found
        while found is not None and found not in seen:
            if any(self.self_class(item) is found for item in self._tree.attributes[node.attr]):
                highest = found
            seen.add(found)
            found = self._named(found.bases[0]) if len(found.bases) == 1 else None
        return highest

    def are_related(self, one: ast.ClassDef, other: ast.ClassDef) -> bool:
        """Tell whether an object can belong to both classes, as far as the files show."""
        return any({one, other} <= self._line(item) for item in self._all)

    def stores(self, owner: ast.ClassDef, name: str) -> bool:
        """Tell whether a class sets an attribute of its `self`."""
        return any(
            isinstance(node.ctx, ast.Store) and self.self_class(node) is owner
            for node in self._tree.attributes[name]
        )

    @cached_property
    def _all(self) -> list[ast.ClassDef]:
        return [node for node in self._tree.parent if isinstance(node, ast.ClassDef)]

    def _line(self, owner: ast.ClassDef) -> frozenset[ast.ClassDef]:
        """Return a class with all that it inherits from."""
        if owner not in self._lines:
            self._lines[owner] = frozenset([owner])
            known = [base for item in owner.bases if (base := self._named(item)) is not None]
            self._lines[owner] = frozenset([owner]).union(*map(self._line, known))
        return self._lines[owner]

    def _named(self, node: ast.expr) -> ast.ClassDef | None:
        """Return the class of the files that a name stands for."""
        variable = self._symbols.variable(node)
        bindings = variable[0].bindings[variable[1]] if variable is not None else []
        found = bindings[0].node if len(bindings) == 1 else None
        return found if isinstance(found, ast.ClassDef) and not found.decorator_list else None

    def _members(self, owner: ast.ClassDef) -> dict[str, list[Binding]]:
        """Return what the body of a class binds."""
        return self._tree.scope(owner.body[0]).bindings
