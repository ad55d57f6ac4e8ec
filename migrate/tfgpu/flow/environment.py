"""Variables of the environment that a program sets, for its own process or for others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass

_CUDA_VARIABLES = frozenset(["CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"])
_ENVIRONMENT = "os.environ"
_READS = frozenset(["get", "copy", "items", "keys", "values", "__contains__", "__getitem__"])
_COPIES = frozenset(["dict", "len", "print", "sorted", "list", "set", "str"])
# Functions of other packages that write variables.
_LOADERS = ("dotenv.load_dotenv", "dotenv.main.load_dotenv", "environs.", "GPUtil.setVisible")


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """One variable that is set: its name, the expression of its value, and the node that sets it.

    `how` is "environ" for the process itself, "setdefault" where that has no value yet, "putenv"
    past os.environ, and "child" for a process that is started.
    """

    name: str
    value: ast.expr
    node: ast.AST
    how: str


def environment_writes(tree: Tree, symbols: Symbols) -> Iterator[tuple[str, ast.AST]]:
    """Yield what sets, or may set, variables of CUDA for the process, with a variable's name.

    Of os.environ, whatever is not known to read it, or to write another variable, may do so.
    """
    for node in _environments(tree, symbols):
        name = _written(node, tree)
        if name is not None:
            yield name, tree.parent[node] if isinstance(tree.parent[node], ast.expr) else node
    for call, name in symbols.calls(tree):
        if name.startswith(_LOADERS):
            yield "CUDA_VISIBLE_DEVICES", call
    for attributes in (tree.attributes.get("putenv", []), tree.attributes.get("unsetenv", [])):
        for attribute in attributes:
            if symbols.name(attribute) in ("os.putenv", "os.unsetenv"):
                around = tree.parent[attribute]
                found = _names_of(around.args[0]) if _calls(around, attribute) else None
                yield from ((item, attribute) for item in _cuda(found))
    for item in tree.imports:
        if item.path in ("os.putenv", "os.unsetenv"):
            yield "CUDA_VISIBLE_DEVICES", item.statement


def _written(node: ast.expr, tree: Tree) -> str | None:
    """Return a variable of CUDA that may be written where os.environ stands; None for none."""
    parent = tree.parent[node]
    if isinstance(parent, ast.Subscript) and parent.value is node:
        if isinstance(parent.ctx, ast.Load):
            return None
        return next(_cuda(_names_of(parent.slice)), None)
    if isinstance(parent, ast.Compare) and node in parent.comparators:
        return None
    if isinstance(parent, ast.Attribute):
        call = tree.parent[parent]
        if not _calls(call, parent):
            return "CUDA_VISIBLE_DEVICES"
        if parent.attr in _READS:
            return None
        if parent.attr in ("setdefault", "pop", "__setitem__") and call.args:
            return next(_cuda(_names_of(call.args[0])), None)
        if parent.attr == "update":
            names: list[str] | None = []
            for argument in call.args:
                keys = argument.keys if isinstance(argument, ast.Dict) else [None]
                for key in keys:
                    found = None if key is None else _names_of(key)
                    names = None if found is None or names is None else names + found
            for keyword in call.keywords:
                names = None if keyword.arg is None or names is None else [*names, keyword.arg]
            return next(_cuda(names), None)
        return "CUDA_VISIBLE_DEVICES"
    if isinstance(parent, ast.For | ast.comprehension | ast.Expr):
        return None
    if isinstance(parent, ast.Call) and getattr(parent.func, "id", "") in _COPIES:
        return None
    if isinstance(parent, ast.Dict) or (isinstance(parent, ast.keyword) and parent.arg is None):
        return None  # `{**os.environ}` copies it.
    return "CUDA_VISIBLE_DEVICES"


def _calls(call: ast.AST, func: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(call, ast.Call) and call.func is func


def _names_of(node: ast.expr) -> list[str] | None:
    """Return the one string that an expression is; None where it is not known."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return None


def _cuda(names: list[str] | None) -> Iterator[str]:
    """Yield the variables of CUDA among names; one of them where the names are not known."""
    if names is None:
        yield "CUDA_VISIBLE_DEVICES"
    else:
        yield from (name for name in names if name in _CUDA_VARIABLES)


def writes(tree: Tree, symbols: Symbols) -> Iterator[Write]:
    """Yield the variables with a literal name that some files set."""
    for call, name in symbols.calls(tree):
        yield from _of_call(call, name)
    for node in _environments(tree, symbols):
        parent = tree.parent[node]
        if isinstance(parent, ast.Subscript) and isinstance(parent.ctx, ast.Store):
            yield from _stored(parent, tree, "environ")
        elif isinstance(parent, ast.AugAssign) and isinstance(parent.op, ast.BitOr):
            yield from _entries(parent.value, "environ")


def child_writes(tree: Tree, symbols: Symbols) -> Iterator[Write]:
    """Yield what is stored in, or written as, a dictionary of variables for another process.

    Names of variables are rare enough elsewhere; what becomes of the dictionary is not followed.
    """
    own = {write.node for write in writes(tree, symbols)}
    for target in tree.nodes(ast.Subscript):
        if isinstance(target.ctx, ast.Store) and target not in own:
            yield from _stored(target, tree, "child")
    for node in (*tree.nodes(ast.Dict), *filter(_is_dict, tree.calls)):
        for write in _entries(node, "child"):
            if write.node not in own:
                yield write


def _of_call(call: ast.Call, name: str) -> Iterator[Write]:
    if name in ("os.environ.setdefault", "os.putenv") and len(call.args) == 2:
        key, value = call.args
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            yield Write(key.value, value, call, name.rpartition(".")[2])
    elif name == "os.environ.update":
        for argument in call.args:
            yield from _entries(argument, "environ")
        yield from _keywords(call, "environ")


def _environments(tree: Tree, symbols: Symbols) -> list[ast.expr]:
    """Return every expression that is os.environ."""
    names = {item.name for item in tree.imports if item.path == _ENVIRONMENT}
    found: list[ast.expr] = [*tree.attributes.get("environ", [])]
    for name in sorted(names):
        found += tree.names.get(name, [])
    return [node for node in found if symbols.name(node) == _ENVIRONMENT]


def _stored(target: ast.Subscript, tree: Tree, how: str) -> Iterator[Write]:
    parent = tree.parent[target]
    is_value = isinstance(parent, ast.Assign) and target in parent.targets
    if isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str) and is_value:
        assert isinstance(parent, ast.Assign)
        yield Write(target.slice.value, parent.value, target, how)


def _is_dict(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict"


def _entries(node: ast.AST, how: str) -> Iterator[Write]:
    """Yield the entries of a dictionary, written as `{...}` or `dict(...)`."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield Write(key.value, value, key, how)
    elif isinstance(node, ast.Call) and _is_dict(node):
        yield from _keywords(node, how)


def _keywords(call: ast.Call, how: str) -> Iterator[Write]:
    for keyword in call.keywords:
        if keyword.arg is not None:
            yield Write(keyword.arg, keyword.value, keyword, how)
