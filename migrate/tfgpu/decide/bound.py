"""Whether a name certainly has a value where it is read: one that has none is an error."""

from __future__ import annotations

import ast
import builtins

from tfgpu.code.dotted import base_of
from tfgpu.code.order import Order
from tfgpu.code.tree import Tree
from tfgpu.decide.per_session import Way, leads_through

_OF_MODULES = frozenset(["__file__", "__name__", "__doc__"])
_BINDS = (
    ast.Import, ast.ImportFrom, ast.Assign, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef,
    ast.With,
)  # fmt: skip


def is_bound(name: ast.Name, tree: Tree) -> bool:
    """Tell whether a variable is a parameter, or was set on every way to where it is read."""
    bindings = tree.bindings(name)
    if not bindings:
        return hasattr(builtins, name.id) or name.id in _OF_MODULES
    if any(isinstance(item.ctx, ast.Del) for item in tree.names.get(name.id, ())):
        return False
    if any(item.kind == "param" for item in bindings):
        return True
    ways: dict[ast.AST, set[Way]] = {}
    for item in bindings:
        statement = tree.statement(item.node)
        reader = _reader(name, tree.function(statement).node, tree)
        if (
            reader is not None
            and (isinstance(statement, _BINDS) or _has_value(statement))
            and tree.statement(reader) is not statement
            and tree.position(statement) < tree.position(reader)
        ):
            ways.setdefault(reader, set()).add((tree.guards(statement), ()))
    return any(leads_through(found, tree.guards(reader)) for reader, found in ways.items())


def owner_may_be_unset(read: ast.Attribute, place: ast.AST, tree: Tree, order: Order) -> bool:
    """Tell whether the variable in front of an attribute may have no value at a place.

    Such as `settings` in `settings.CONFIG`, in front of `import settings` of the same function.
    """
    owner = base_of(read)
    if not isinstance(owner, ast.Name) or is_bound(owner, tree):
        return False
    statements = [tree.statement(item.node) for item in tree.bindings(owner)]
    return bool(statements) and not any(
        not tree.guards(it) and order.always_after(place, it) for it in statements
    )


def is_of_own_module(node: ast.Attribute, tree: Tree) -> bool:
    """Tell whether an attribute is one of a module of the program, which may not have it."""
    owner = base_of(node)
    found = tree.bindings(owner) if isinstance(owner, ast.Name) else []
    imports = (tree.imported.get(item.node) for item in found)
    return any(item is not None and tree.linked(item) is not None for item in imports)


def _has_value(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.AnnAssign) and statement.value is not None


def _reader(name: ast.Name, home: ast.AST, tree: Tree) -> ast.AST | None:
    """Return what reads a variable of a function there: the name, or a function that it is in."""
    node: ast.AST = name
    while (inner := tree.function(node).node) is not home:
        if isinstance(inner, ast.Module):
            return None
        node = inner
    return node
