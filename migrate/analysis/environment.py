"""Environment variables of CUDA that a program sets for its own process."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.analysis.symbols import Symbols
from migrate.analysis.tree import Tree

_CUDA_VARIABLES = frozenset(["CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"])


def environment_writes(tree: Tree, symbols: Symbols) -> Iterator[tuple[str, ast.AST]]:
    """Yield the variables of CUDA that a file sets for its own process."""
    for call in tree.calls:
        name = symbols.name(call.func)
        if name in ("os.environ.setdefault", "os.putenv", "os.environ.update"):
            for node in ast.walk(call):
                if isinstance(node, ast.Constant) and node.value in _CUDA_VARIABLES:
                    yield str(node.value), call
                elif isinstance(node, ast.keyword) and node.arg in _CUDA_VARIABLES:
                    yield str(node.arg), call
    for attribute in tree.attributes.get("environ", []):
        item = tree.parent[attribute]
        if (
            isinstance(item, ast.Subscript)
            and isinstance(item.ctx, ast.Store)
            and isinstance(item.slice, ast.Constant)
            and item.slice.value in _CUDA_VARIABLES
        ):
            yield str(item.slice.value), item
