"""Attributes, elements and operators of objects of the files that do something when they are read.

A property that counts its reads, or a `__getattr__` that prints, is no value that can be read
elsewhere, or once for each GPU.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import cached_property, partial
from itertools import chain

from tfgpu.code.dotted import base_of, split_name
from tfgpu.code.index import Import
from tfgpu.code.special import (
    SpecialMethods,
    described,
    has_loose_properties,
    special_methods,
)
from tfgpu.code.tree import Tree, last_name
from tfgpu.dataclass import replace

_PLAIN_DECORATORS = frozenset(["staticmethod", "classmethod", "abstractmethod"])
_READERS = frozenset(["__getattr__", "__getattribute__", "__get__"])
_ELEMENTS = frozenset(["__getitem__", "__missing__", "__index__", "__hash__", "__eq__"])
_OPERATORS = frozenset(
    [
        "__bool__", "__contains__",
        *(f"__{name}__" for name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "invert")),
        *(
            f"__{side}{name}__"
            for name in (
                "add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "and", "or",
                "xor", "lshift", "rshift",
            )
            for side in ("", "r")
        ),
    ]
)  # fmt: skip
# By the name of a builtin, or of a method of texts: the special methods that it runs.
_RUN_BY = {
    "len": frozenset(["__len__"]),
    "int": frozenset(["__int__", "__index__", "__trunc__"]),
    "float": frozenset(["__float__", "__index__"]),
    "bool": frozenset(["__bool__", "__len__"]),
    "str": frozenset(["__str__", "__repr__"]),
    "format": frozenset(["__format__", "__str__", "__repr__"]),
    "join": frozenset(["__iter__", "__getitem__"]),
    "max": frozenset(["__iter__", "__getitem__", "__gt__", "__lt__"]),
    "min": frozenset(["__iter__", "__getitem__", "__gt__", "__lt__"]),
    "sum": frozenset(["__iter__", "__getitem__", "__add__", "__radd__"]),
    "abs": frozenset(["__abs__"]),
    "round": frozenset(["__round__"]),
}
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
        """Tell whether an attribute, an element or an operator may have side effects."""
        if isinstance(node, ast.Attribute):
            found = self._any and self._may_be_own(node.value)
            return node.attr in self._members or found or self._asks_module(node)
        if isinstance(node, ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.UnaryOp):
            return self._operators
        if isinstance(node, ast.Call):
            return self._may_act(_RUN_BY.get(last_name(node.func), frozenset()))
        if isinstance(node, ast.FormattedValue):
            return self._may_act(_RUN_BY["format"])
        return isinstance(node, ast.Subscript | ast.Dict | ast.Set) and self._elements

    def calls_own(self, method: ast.Attribute) -> bool:
        """Tell whether a method of a usual name, such as `join`, may be a function of the files."""
        if isinstance(method.value, ast.Constant | ast.JoinedStr):
            return False
        imported = self._imports(method.value)
        if imported and all(self._tree.linked(item) is None for item in imported):
            return False
        return method.attr in self._given

    def tells(self, function: ast.AST) -> bool:
        """Tell whether a function of the files only tells a number that is not negative."""
        return (
            isinstance(function, ast.FunctionDef)
            and self._is_pure(function)
            and not self._negates(function)
        )

    def _negates(self, function: ast.FunctionDef) -> bool:
        """Tell whether a function, or one of the files that it may use, has a minus sign."""
        seen, waiting = {function}, [function]
        while waiting:
            names = set(_used(waiting.pop()))
            more = {item for item in self._functions if item.name in names} - seen
            seen |= more
            waiting += more
        return any(isinstance(node, ast.USub) for item in seen for node in ast.walk(item))

    def _imports(self, node: ast.expr) -> list[Import]:
        """Return the imports that an expression takes its module from; none if it may be other."""
        base = base_of(node)
        bindings = self._tree.bindings(base) if isinstance(base, ast.Name) else []
        found = [self._tree.imported.get(item.node) for item in bindings]
        return [item for item in found if item is not None] if all(found) else []

    @cached_property
    def _given(self) -> frozenset[str]:
        """The names that functions of the files have, or that attributes are assigned."""
        tree = self._tree
        named = [(node.arg, node.value) for node in tree.nodes(ast.keyword)]
        for node in tree.nodes(ast.Dict):
            named += [
                (key.value, value)
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant) and isinstance(key.value, str)
            ]
        for call in tree.calls:
            if last_name(call.func) in ("setattr", "__setattr__"):
                texts = [item.value for item in call.args if isinstance(item, ast.Constant)]
                named += [(text, call.args[-1]) for text in texts if isinstance(text, str)]
        return frozenset(
            [
                *tree.functions,
                *(name for name, value in named if name is not None and self._is_function(value)),
                *(
                    name
                    for name, nodes in tree.attributes.items()
                    if any(isinstance(node.ctx, ast.Store) for node in nodes)
                ),
                *(name for node in self._classes for name in tree.scope(node.body[0]).bindings),
            ]
        )

    def _is_function(self, node: ast.expr) -> bool:
        """Tell whether an expression may be a function of the files."""
        if isinstance(node, ast.Name):
            return any(item.value is None for item in self._tree.bindings(node))
        if isinstance(node, ast.Attribute):
            return node.attr in self._tree.functions
        return isinstance(node, ast.Lambda)

    def computes(self, node: ast.expr) -> bool:
        """Tell whether code of the files may compute what an expression gives, from anything."""
        if isinstance(node, ast.Attribute):
            finds = self._loose or not self._special.keys().isdisjoint(_READERS)
            found = finds and self._may_be_own(node.value)
            return node.attr in self._computed or found or self._asks_module(node)
        if isinstance(node, ast.Call):
            called = _RUN_BY.get(last_name(node.func), frozenset())
            known = all(isinstance(item, ast.Constant) for item in node.args)
            return not known and not self._special.keys().isdisjoint(called)
        if isinstance(node, ast.FormattedValue):
            return not self._special.keys().isdisjoint(_RUN_BY["format"])
        operates = isinstance(node, ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.UnaryOp)
        return operates and not self._special.keys().isdisjoint(_OPERATORS)

    @cached_property
    def _special(self) -> SpecialMethods:
        return special_methods(self._tree)

    def _may_act(self, names: Collection[str]) -> bool:
        """Tell whether one of these special methods may have side effects."""
        found = chain.from_iterable(self._special.get(name, ()) for name in names)
        return not all(isinstance(it, ast.FunctionDef) and self._is_pure(it) for it in found)

    @cached_property
    def _computed(self) -> frozenset[str]:
        """The names of properties."""
        found = {item.name for item in self._methods() if self._is_property(item)}
        return frozenset(found | described(self._tree, any_call=False))

    def _may_be_own(self, value: ast.expr) -> bool:
        """Tell whether an object may be one of a class of the files: modules are none."""
        imported = self._imports(value)
        return not imported or any(map(partial(self._is_object, value), imported))

    def _is_object(self, value: ast.expr, item: Import) -> bool:
        """Tell whether what is read in something imported may be an object of the files."""
        if self._module(value, item) is not None:
            return False
        found = self._tree.linked(item)
        return found is not None and (bool(found[1]) or not isinstance(value, ast.Name))

    def _module(self, value: ast.expr, item: Import) -> Tree | None:
        """Return the module of the files that an expression is, if an import gives its base."""
        base, tail = split_name(value)
        found = self._tree.linked(replace(item, path=item.path + tail)) if base else None
        return found[0] if found is not None and not found[1] else None

    def _asks_module(self, node: ast.Attribute) -> bool:
        """Tell whether a function of a module of the files may find a name: its `__getattr__`."""
        modules = (self._module(node.value, item) for item in self._imports(node.value))
        return any(
            module is not None
            and "__getattr__" in module.root.bindings
            and node.attr not in module.root.bindings
            for module in modules
        )

    @cached_property
    def _members(self) -> frozenset[str]:
        """The names of properties that may have side effects."""
        found = {
            function.name
            for function in self._methods()
            if self._is_property(function) and not self._is_pure(function)
        }
        return frozenset(found | described(self._tree, any_call=False))

    @cached_property
    def _loose(self) -> bool:
        """Whether any attribute may be a property."""
        return has_loose_properties(self._tree)

    @cached_property
    def _any(self) -> bool:
        """Whether any attribute may do something, by a property or a method that finds it."""
        return self._loose or self._may_act(_READERS)

    @cached_property
    def _elements(self) -> bool:
        return self._may_act(_ELEMENTS)

    @cached_property
    def _operators(self) -> bool:
        return self._may_act(_OPERATORS)

    def _is_pure(self, function: ast.FunctionDef) -> bool:
        """Tell whether a function has no side effects, nor a function of the files that it uses."""
        return function not in self._impure

    @cached_property
    def _impure(self) -> frozenset[ast.AST]:
        """The functions that may have side effects, by themselves or by what they call or read."""
        found = {item for item in self._functions if not self._is_pure_by_itself(item)}
        while True:
            names = {item.name for item in self._functions if item in found}
            more = {
                item
                for item in self._functions
                if item not in found and not names.isdisjoint(_used(item))
            }
            if not more:
                return frozenset(found)
            found |= more

    def _is_pure_by_itself(self, function: ast.FunctionDef) -> bool:
        """Tell whether a function has no side effects if functions of its file have none."""
        for node in ast.walk(function):
            if isinstance(node, ast.Global | ast.Nonlocal | ast.Yield | ast.Await | ast.AugAssign):
                return False
            if isinstance(node, ast.Attribute | ast.Subscript):
                if not isinstance(node.ctx, ast.Load):
                    return False
            elif isinstance(node, ast.Call) and last_name(node.func) not in _PURE:
                bindings = self._tree.bindings(node.func) if isinstance(node.func, ast.Name) else []
                if not bindings or not all(isinstance(it.node, ast.FunctionDef) for it in bindings):
                    return False
        return True

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


def _used(function: ast.FunctionDef) -> Iterator[str]:
    """Yield the names of what a function calls or reads, also by text."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
