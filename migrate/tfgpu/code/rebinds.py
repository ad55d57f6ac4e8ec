"""Which variables may get another value than the statements that bind their name give them.

So they do through a namespace (`globals().update(...)`, `vars(module)[...] = ...`), as an attribute
of their module (`module.name = ...`), and by the name in a text (`mock.patch("module.name", ...)`).
"""

from __future__ import annotations

import ast
from functools import cached_property

from tfgpu.code.imported import Names
from tfgpu.code.index import Variable
from tfgpu.code.lookups import names_set
from tfgpu.code.reflection import Reflection
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree

# What only reads a namespace: its methods, builtins that it is given to, and that look at names.
_READING = frozenset(["get", "items", "keys", "values", "copy", "__contains__", "__getitem__"])
_COPYING = frozenset(["dict", "list", "sorted", "print", "len", "str", "repr", "set", "iter"])
_LOOKING = frozenset(["getattr", "hasattr", "dir"])


class Rebinds:
    """Tells of the variables of some files whether they may be bound without their name."""

    def __init__(self, tree: Tree, symbols: Symbols, reflection: Reflection, names: Names) -> None:
        self._tree = tree
        self._symbols = symbols
        self._reflection = reflection
        self._names = names
        self._set = names_set(tree)
        self._known: dict[Variable, bool] = {}

    def may_bind(self, variable: Variable) -> bool:
        """Tell whether a variable may be bound without a statement that names it."""
        if variable not in self._known:
            self._known[variable] = self._find(variable)
        return self._known[variable]

    def _find(self, variable: Variable) -> bool:
        scope, name = variable
        looks = self._reflection.of_variable(scope, name)
        if scope.kind == "function":
            # `locals()` of a function is a copy; its frame and its cells are not.
            return any(isinstance(look, ast.Attribute) for look in looks)
        return (
            name in self._set
            or any(map(self._may_write, looks))
            or (scope.kind == "module" and self._is_stored(variable))
        )

    def _may_write(self, look: ast.expr) -> bool:
        """Tell whether a reflective lookup may change what it finds."""
        if isinstance(look, ast.Call) and self._tree.builtin(look.func) in _LOOKING:
            asked = [item.value for item in look.args if isinstance(item, ast.Constant)]
            if "__dict__" not in asked:
                return False
        if isinstance(look, ast.Constant):
            return False  # An example in a docstring.
        parent = self._tree.parent[look]
        if isinstance(parent, ast.Subscript):
            return not isinstance(parent.ctx, ast.Load)
        if isinstance(parent, ast.Attribute):
            return parent.attr not in _READING
        if isinstance(parent, ast.Call):
            return self._tree.builtin(parent.func) not in _COPYING
        if isinstance(parent, ast.keyword):
            return parent.arg is not None  # `**globals()` is a copy.
        return not isinstance(parent, ast.Compare | ast.BinOp | ast.For)

    def _is_stored(self, variable: Variable) -> bool:
        """Tell whether a variable of a module may be set as an attribute of something."""
        scope, name = variable
        stored = [
            item
            for item in self._tree.attributes.get(name, ())
            if not isinstance(item.ctx, ast.Load)
        ]
        if any(self._symbols.variable(item) == variable for item in stored):
            return True
        return self._tree.file(scope.node) in self._given_away and (
            bool(stored) or any(map(self._may_write, self._reflection.of_objects(name)))
        )

    @cached_property
    def _given_away(self) -> set[Tree]:
        """The modules that are values: arguments, items, of another name."""
        modules = (
            self._symbols.module(node)
            for node, _ in self._names.found
            if self._names.is_whole(node) and self._is_given(node)
        )
        return {module for module in modules if module is not None}

    def _is_given(self, node: ast.expr) -> bool:
        """Tell whether a module goes on by another name, or where it is not followed."""
        return isinstance(self._tree.parent[node], ast.Assign) or self._names.is_value(node)
