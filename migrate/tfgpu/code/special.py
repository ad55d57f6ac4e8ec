"""Special methods and properties that classes of the files have, whichever way they get them."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from tfgpu.code.tree import Tree, last_name
from tfgpu.files.pattern import expression

# By name: what may run, None for what is not seen.
SpecialMethods: TypeAlias = dict[str, list[ast.AST | None]]

# Special methods that run where an object is made, entered or called by its name.
USUAL = frozenset(["__init__", "__call__", "__enter__", "__exit__"])
OF_ATTRIBUTES = frozenset(
    [
        "__getattr__", "__getattribute__", "__setattr__", "__delattr__",
        "__get__", "__set__", "__delete__",
    ]
)  # fmt: skip
_TYPES = (int, float, complex, str, dict, list, set, type(iter("")))
# What Python runs by itself: other names with such underscores mean nothing to it.
_NAMES = (
    frozenset(
        name
        for owner in (operator, *_TYPES)
        for name in dir(owner)
        if name.startswith("__") and callable(getattr(owner, name))
    )
    | USUAL
    | OF_ATTRIBUTES
    | {
        "__bytes__", "__complex__", "__del__", "__fspath__", "__length_hint__", "__missing__",
        "__nonzero__", "__cmp__", "__rmatmul__", "__aiter__", "__anext__", "__aenter__",
        "__aexit__", "__await__",
    }
) - {"__class__", "__init__", "__loader__"}  # fmt: skip
# A name that is put together: `"__%s__" % name`.
_PUT_TOGETHER = expression(r"__[^_]*[%{].*")
_ASKING = frozenset(["hasattr", "getattr"])
_PROPERTIES = ("property", "cached_property")


@lru_cache(maxsize=2)
def special_methods(tree: Tree) -> SpecialMethods:
    """Return the special methods that classes of the files have."""
    found: SpecialMethods = {
        name: [*functions]
        for name, functions in tree.functions.items()
        if name.startswith("__") and name.endswith("__")
    }
    for name, value in _given(tree):
        if not _is_of_python(value, tree):
            seen = tree.functions.get(value.id, []) if isinstance(value, ast.Name) else []
            found.setdefault(name, []).extend(seen or [None])
    return found


def _given(tree: Tree) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the special methods that classes get in other ways than by a definition.

    Each with what they are, where that is written there.
    """
    scopes = [tree.scope(owner.body[0]) for owner in tree.nodes(ast.ClassDef)]
    scopes += [file.root for file in tree.files]
    for scope in scopes:
        for name in _NAMES & scope.bindings.keys():
            for binding in scope.bindings[name]:
                if not isinstance(binding.node, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield name, binding.value
    for name in _NAMES & tree.attributes.keys():
        for node in tree.attributes[name]:
            # `mock.__gt__.side_effect = compare`
            ends = (node, tree.parent[node])
            if any(isinstance(getattr(item, "ctx", None), ast.Store) for item in ends):
                yield name, None
    for keyword in tree.nodes(ast.keyword):
        if keyword.arg in _NAMES:
            yield keyword.arg, keyword.value
    for call in tree.calls:
        computed = len(call.args) == 3 and not isinstance(call.args[1], ast.Constant)
        if computed and last_name(call.func) == "setattr" and _is_function(call.args[2], tree):
            yield from ((name, None) for name in _NAMES)
    for text in tree.nodes(ast.Constant):
        if not isinstance(text.value, str) or not text.value.startswith("__"):
            continue
        parent = tree.parent[text]
        asked = isinstance(parent, ast.Compare) or (
            isinstance(parent, ast.Call) and last_name(parent.func) in _ASKING
        )
        begins = text.value == "__" and isinstance(parent, ast.BinOp | ast.JoinedStr)
        if begins or _PUT_TOGETHER.fullmatch(text.value):
            yield from ((name, None) for name in _NAMES)
        elif text.value in _NAMES and not asked:
            yield text.value, None


def _is_function(node: ast.expr, tree: Tree) -> bool:
    if isinstance(node, ast.Name):
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return any(isinstance(item.node, kinds) for item in tree.bindings(node))
    return isinstance(node, ast.Lambda)


def described(tree: Tree, any_call: bool = True) -> frozenset[str]:
    """Return the names of what is, in class bodies, a property by a call, or by another name.

    With `any_call` it may be one by a call of whatever function.
    """
    return frozenset(
        name
        for owner in tree.nodes(ast.ClassDef)
        for name, bindings in tree.scope(owner.body[0]).bindings.items()
        if any(_may_be_property(binding.value, tree, any_call) for binding in bindings)
    )


def _may_be_property(value: ast.expr | None, tree: Tree, any_call: bool) -> bool:
    if isinstance(value, ast.Name):
        bindings = tree.bindings(value)
        return any(getattr(item.node, "decorator_list", None) for item in bindings)
    return isinstance(value, ast.Call) and (any_call or last_name(value.func) in _PROPERTIES)


def has_loose_properties(tree: Tree) -> bool:
    """Tell whether any attribute may be a property, made elsewhere than in the body of a class."""
    return any(
        not _is_decorator_or_member(node, tree)
        for name in _PROPERTIES
        for node in (*tree.names.get(name, ()), *tree.attributes.get(name, ()))
    )


def _is_decorator_or_member(node: ast.expr, tree: Tree) -> bool:
    parent = tree.parent[node]
    if not isinstance(parent, ast.Call):
        return node in getattr(parent, "decorator_list", ())
    if parent.func is not node:
        return last_name(parent.func) == "isinstance"
    target = tree.parent[parent]
    return (
        isinstance(target, ast.Assign)
        and isinstance(tree.parent[target], ast.ClassDef)
        and all(isinstance(item, ast.Name) for item in target.targets)
    )


def _is_of_python(value: ast.expr | None, tree: Tree) -> bool:
    """Tell whether a method is one of Python's own classes, or None: `__hash__ = None`."""
    if isinstance(value, ast.Constant):
        return True
    owner = value.value if isinstance(value, ast.Attribute) else None
    return owner is not None and hasattr(builtins, tree.builtin(owner))
