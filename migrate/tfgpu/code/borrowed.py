"""Methods that may run for objects of other classes than their own: `Other.reset(thing)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name

if TYPE_CHECKING:
    from tfgpu.code.classes import Classes

# Methods whose first argument is the class.
CLASS_METHODS = frozenset(["__new__", "__init_subclass__", "__class_getitem__"])
# What names a class for what it has, as a base, or as the type of something.
_NAMING = (
    ast.Attribute, ast.ClassDef, ast.MatchClass, ast.arg, ast.FunctionDef, ast.AnnAssign,
)  # fmt: skip
_Method = ast.FunctionDef | None
# Builtins that only ask what a class is.
_ASKING = ("isinstance", "issubclass", "super")


class Borrowed:
    """Tells which methods of the classes of some files are borrowed."""

    def __init__(self, tree: Tree, symbols: Symbols, classes: Classes) -> None:
        self._tree = tree
        self._symbols = symbols
        self._classes = classes
        self._known: dict[ast.AST, bool] = {}
        self._reads: dict[str, list[tuple[ast.Attribute, tuple[ast.ClassDef, ...]]]] = {}

    def is_borrowed(self, method: ast.AST, owner: ast.ClassDef) -> bool:
        """Tell whether a method of a class may run for objects of another one.

        `Other.reset(t)`, `reset = Other.reset`, `getattr(Other, "reset")`; a call by a class that
        is related to it, for its own `self`, does not count. A class method keeps its class.
        """
        if method not in self._known:
            assert isinstance(method, ast.FunctionDef)
            self._known[method] = True  # of one that names itself by its class
            kinds = map(self._tree.builtin, method.decorator_list)
            self._known[method] = (
                method.name not in CLASS_METHODS
                and "classmethod" not in kinds
                and self._is_read_apart(method.name, owner)
            )
        return self._known[method]

    def _is_read_apart(self, name: str, owner: ast.ClassDef) -> bool:
        """Tell whether a function may be read from a class, or what is related to that."""
        if self._has_turned or owner in self._asked:
            return True
        if any(map(self._is_asked_for, self._tree.texts.get(name, ()))):
            return True
        if name not in self._reads:
            uses = self._tree.attributes.get(name, ())
            self._reads[name] = [(use, tuple(self._classes_of(use.value))) for use in uses]
        is_value = not self._values.isdisjoint(self._classes.relatives(owner))
        method = self._classes.inherited(owner, name) if is_value else None
        for use, named in self._reads[name]:
            if not named and self._is_by_value(use, method, owner):
                return True
            related = (item for item in named if owner in {item, *self._classes.relatives(item)})
            if not all(self._is_for_own(use, item) for item in related):
                return True
        return False

    @cached_property
    def _has_turned(self) -> bool:
        """Whether functions are taken from methods, or objects get another class."""
        turned = self._tree.attributes.get("__class__", ())
        return bool(self._tree.attributes.get("__func__")) or any(
            not isinstance(node.ctx, ast.Load) for node in turned
        )

    def _is_by_value(self, use: ast.Attribute, method: _Method, owner: ast.ClassDef) -> bool:
        """Tell whether a method may be read from a class that a value is, as `type(x)` is one."""
        tree, value = self._tree, use.value
        if isinstance(value, ast.Call) and tree.builtin(value.func) == "type":
            return True
        if isinstance(value, ast.Attribute | ast.Subscript) and not self._symbols.variable(value):
            # `x.__class__`, `module.Trainer`, `globals()["Trainer"]`
            key = value.slice if isinstance(value, ast.Subscript) else value
            last = key.value if isinstance(key, ast.Constant) else getattr(key, "attr", "")
            names = {item.name for item in self._classes.relatives(owner)}
            if last == "__class__" or last in names:
                return True
        if method is None:
            return False
        call = tree.parent[use]
        if not (isinstance(call, ast.Call) and call.func is use):
            is_object = self._classes.object_class(value) is not None
            return not is_object and self._classes.self_class(use) is None
        # The object is among what a call gives that has one argument too many.
        taken = [*method.args.posonlyargs, *method.args.args]
        is_named = any(item.arg == taken[0].arg for item in call.keywords) if taken else False
        return is_named or (method.args.vararg is None and len(call.args) >= len(taken) > 0)

    def _classes_of(self, node: ast.expr) -> Iterator[ast.ClassDef]:
        """Yield the classes that an expression may be, by their names or by another one."""
        values = [node, *(binding.value for binding in self._symbols.bindings(node))]
        found = (self._classes.named(value) for value in values if value is not None)
        yield from filter(None, found)

    def _is_asked_for(self, text: ast.Constant) -> bool:
        """Tell whether a text names an attribute that may be looked up in a class."""
        around = self._tree.parent[text]
        if isinstance(around, ast.Subscript):
            return bool(self._tree.names.get("vars") or self._tree.attributes.get("__dict__"))
        name = last_name(around.func) if isinstance(around, ast.Call) else ""
        if name != "getattr" or not isinstance(around, ast.Call):
            return name in ("attrgetter", "methodcaller")
        target = around.args[0] if around.args else text
        is_own = isinstance(target, ast.Name) and self._classes.own(target)[0] is not None
        return not (is_own or self._classes.object_class(target))

    @cached_property
    def _values(self) -> frozenset[ast.ClassDef]:
        """The classes that are given to something, or put somewhere, that may be any."""
        return frozenset(filter(self._is_value, self._tree.nodes(ast.ClassDef)))

    def _is_value(self, owner: ast.ClassDef) -> bool:
        for use in self._symbols.uses((self._tree.scope(owner), owner.name)):
            around = self._tree.parent[use]
            is_callee = isinstance(around, ast.Call) and (
                around.func is use or self._tree.builtin(around.func) in _ASKING
            )
            if not (is_callee or isinstance(around, _NAMING)):
                return True
        return False

    @cached_property
    def _asked(self) -> frozenset[ast.ClassDef]:
        """The classes that are asked for a method by a name that is computed, with their kin."""
        calls = (self._tree.parent[node] for node in self._tree.names.get("getattr", ()))
        return frozenset(
            related
            for call in calls
            if isinstance(call, ast.Call) and len(call.args) > 1
            if not isinstance(call.args[1], ast.Constant)
            for found in self._classes_of(call.args[0])
            for related in {found, *self._classes.relatives(found)}
        )

    def _is_for_own(self, use: ast.Attribute, owner: ast.ClassDef) -> bool:
        """Tell whether a method named by its class is called for an object of a relative."""
        call = self._tree.parent[use]
        if not isinstance(call, ast.Call) or call.func is not use or not call.args:
            return False
        first = call.args[0]
        own = self._classes.own(first)[0] if isinstance(first, ast.Name) else None
        own = own or self._classes.object_class(first)
        return own is not None and self._classes.are_related(own, owner)
