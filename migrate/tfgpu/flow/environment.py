"""Variables of the environment that a program sets, for its own process or for others."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass

_CUDA_VARIABLES = frozenset(["CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"])
_ENVIRONMENT = "os.environ"


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
    """Yield the variables of CUDA that a file sets, or may set, for its own process."""
    for call in tree.calls:
        name = symbols.name(call.func)
        if name in ("os.environ.setdefault", "os.putenv", "os.environ.update"):
            yield from ((found, call) for found in _cuda_names(call))
    own = _environments(tree, symbols)
    for node in dict.fromkeys([*tree.attributes.get("environ", []), *own]):
        item = tree.parent[node]
        is_store = isinstance(item, ast.Subscript) and isinstance(item.ctx, ast.Store)
        if is_store or (isinstance(item, ast.AugAssign) and item.target is node):
            yield from ((found, item) for found in _cuda_names(item))


def _cuda_names(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and inner.value in _CUDA_VARIABLES:
            yield str(inner.value)
        elif isinstance(inner, ast.keyword) and inner.arg in _CUDA_VARIABLES:
            yield str(inner.arg)


def writes(tree: Tree, symbols: Symbols) -> Iterator[Write]:
    """Yield the variables with a literal name that some files set."""
    for call in tree.calls:
        yield from _of_call(call, symbols)
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
    for file in tree.files:
        for node in ast.walk(file.module):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                if node not in own:
                    yield from _stored(node, tree, "child")
            elif isinstance(node, ast.Dict) or _is_dict(node):
                for write in _entries(node, "child"):
                    if write.node not in own:
                        yield write


def _of_call(call: ast.Call, symbols: Symbols) -> Iterator[Write]:
    name = symbols.name(call.func)
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
