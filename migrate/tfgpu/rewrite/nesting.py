"""How deeply libcst nests what it parses; where it nests too deeply, it ends the process."""

from __future__ import annotations

import ast
import sys


def check_nesting(module: ast.Module) -> None:
    """Refuse a module that libcst could not go through.

    Chains of `and` and `or`, which are flat for Python, are nested for libcst.

    Raises:
        RecursionError: the nesting is deeper than Python's stack, which libcst needs for it.
    """
    most = sys.getrecursionlimit()
    waiting: list[tuple[ast.AST, int]] = [(module, 0)]
    while waiting:
        node, depth = waiting.pop()
        depth += len(node.values) if isinstance(node, ast.BoolOp) else 1
        if depth > most:
            raise RecursionError
        waiting += [(child, depth) for child in ast.iter_child_nodes(node)]
