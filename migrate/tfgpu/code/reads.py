"""Attributes and elements of objects of the files whose reading does something.

A property that counts its reads, or a `__getattr__` that prints, is no value that can be read
elsewhere, or once for each GPU.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from tfgpu.code.tree import Tree, last_name

_PLAIN_DECORATORS = frozenset(["staticmethod", "classmethod", "abstractmethod"])
_READERS = frozenset(["__getattr__", "__getattribute__"])
# Functions and methods that only look something up, or compute, and exceptions.
_PURE = frozenset(
    [
        "getattr", "hasattr", "super", "isinstance", "int", "float", "str", "bool", "len", "max",
        "min", "sum", "abs", "round", "dict", "list", "tuple", "set", "sorted", "type", "repr",
        "get", "keys", "values", "items", "format", "join", "split", "strip", "lower", "upper",
        "startswith", "endswith", "replace", "vars", "AttributeError", "KeyError", "IndexError",
        "ValueError", "TypeError", "NotImplementedError", "object", "__class__", *_READERS,
        "__getitem__",
    ]
)  # fmt: skip


class Reads:
    """Attributes and subscripts of some files whose reading may have side effects."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def does_something(self, node: ast.expr) -> bool:
        """Tell whether reading an attribute or an element may have side effects."""
        if isinstance(node, ast.Attribute):
            return node.attr in self._members or (self._any and self._may_be_own(node.value))
        return isinstance(node, ast.Subscript) and self._elements

    def _may_be_own(self, value: ast.expr) -> bool:
        """Tell whether an object may be one of a class of the files: modules are none."""
        while isinstance(value, ast.Attribute):
            value = value.value
        bindings = self._tree.bindings(value) if isinstance(value, ast.Name) else []
        return not bindings or any(item.kind != "import" for item in bindings)

    @cached_property
    def _members(self) -> frozenset[str]:
        """The names of properties, and of attributes that descriptors refer to."""
        found = {
            function.name
            for function in self._methods()
            if self._is_property(function) and not _is_pure(function)
        }
        if any(item.name == "__get__" and not _is_pure(item) for item in self._functions):
            found.update(self._described())
        return frozenset(found)

    def _described(self) -> Iterator[str]:
        """Yield the attributes of classes that are what a call returns: it may be a descriptor."""
        for node in self._classes:
            for statement in node.body:
                if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
                    for target in statement.targets:
                        if isinstance(target, ast.Name):
                            yield target.id

    @cached_property
    def _any(self) -> bool:
        """Whether any attribute may do something, by a method that finds attributes."""
        return any(item.name in _READERS and not _is_pure(item) for item in self._functions)

    @cached_property
    def _elements(self) -> bool:
        return any(
            item.name in ("__getitem__", "__missing__") and not _is_pure(item)
            for item in self._functions
        )

    @cached_property
    def _functions(self) -> tuple[ast.FunctionDef, ...]:
        return tuple(node for node in self._tree.parent if isinstance(node, ast.FunctionDef))

    @cached_property
    def _classes(self) -> tuple[ast.ClassDef, ...]:
        return tuple(node for node in self._tree.parent if isinstance(node, ast.ClassDef))

    def _methods(self) -> Iterator[ast.FunctionDef]:
        for node in self._classes:
            for item in node.body:
                if isinstance(item, ast.FunctionDef):
                    yield item

    def _is_property(self, function: ast.FunctionDef) -> bool:
        """Tell whether a method may be run by a read: one with a decorator that is not known."""
        names = [ast.unparse(item).rpartition(".")[2] for item in function.decorator_list]
        return bool(names) and not _PLAIN_DECORATORS.issuperset(names)


def _is_pure(function: ast.FunctionDef) -> bool:
    """Tell whether a function has no side effects: it only reads and returns."""
    for node in ast.walk(function):
        if isinstance(node, ast.Global | ast.Nonlocal | ast.Yield | ast.Await | ast.AugAssign):
            return False
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, ast.Call):
            called = node.func
            name = last_name(called)
            if name not in _PURE:
                return False
    return True
