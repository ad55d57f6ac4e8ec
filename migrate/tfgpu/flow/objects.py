"""Whose attributes configs are in: also those of objects that functions are handed."""

from __future__ import annotations

import ast

from tfgpu.flow.callers import Callers
from tfgpu.flow.locations import Reading


class Objects:
    """The classes of the objects that attributes are read from."""

    def __init__(self, reading: Reading, callers: Callers) -> None:
        self._symbols = reading.symbols
        self._classes = reading.callees.classes
        self._callers = callers
        self._known: dict[ast.expr, tuple[ast.ClassDef | None, tuple[ast.FunctionDef, ...]]] = {}

    def owner(self, node: ast.Attribute) -> ast.ClassDef | None:
        """Return the class of the objects, or the class, that an attribute is read from.

        The highest one that it inherits from and that uses the attribute.
        """
        found = self._classes.attribute_class(node)
        if found is not None:
            return found
        made, _ = self._handed(node)
        return self._classes.highest(made, node.attr) if made is not None else None

    def takers(self, node: ast.Attribute) -> tuple[ast.FunctionDef, ...]:
        """Return the functions that are handed the object that an attribute is read from."""
        return () if self._classes.attribute_class(node) is not None else self._handed(node)[1]

    def is_object(self, node: ast.Attribute) -> bool:
        """Tell whether an attribute is read from an object of a class, and not from a class."""
        return bool(self.takers(node)) or self._classes.is_object(node)

    def _handed(
        self, node: ast.Attribute
    ) -> tuple[ast.ClassDef | None, tuple[ast.FunctionDef, ...]]:
        """Return the class of what functions are handed, if it is one, and those functions."""
        if node not in self._known:
            takers: dict[ast.arg, ast.FunctionDef] = {}
            made = self._made(node.value, takers) if self._argument(node.value) else {None}
            found = made.pop() if len(made) == 1 else None
            self._known[node] = found, tuple(takers.values()) if found is not None else ()
        return self._known[node]

    def _made(
        self, node: ast.expr | None, takers: dict[ast.arg, ast.FunctionDef]
    ) -> set[ast.ClassDef | None]:
        """Return the classes of objects, None for what is not known, and note who is handed them.

        A function that hands an object to itself adds none.
        """
        found = self._classes.object_class(node) if node is not None else None
        taken = self._argument(node) if node is not None and found is None else None
        if taken is None:
            return {found}
        function, argument = taken
        if argument in takers:
            return set()
        takers[argument] = function
        calls = self._callers.calls(function, argument)
        return {owner for _, given in calls for owner in self._made(given, takers)}

    def _argument(self, node: ast.expr) -> tuple[ast.FunctionDef, ast.arg] | None:
        """Return the parameter that a name, or an attribute of `self`, is where calls are known."""
        stored = self._classes.stored(node) if isinstance(node, ast.Attribute) else node
        variable = self._symbols.variable(stored) if stored is not None else None
        function = variable[0].node if variable is not None else None
        if variable is None or not isinstance(function, ast.FunctionDef):
            return None
        argument = self._callers.argument(function, variable[1])
        is_only = len(variable[0].bindings[variable[1]]) == 1
        if argument is None or not is_only or self._callers.not_followed(function):
            return None
        return function, argument
