"""How deeply libcst nests what it parses; where it nests too deeply, it ends the process."""

from __future__ import annotations

import ast
import sys

from tfgpu.files.pyfile import SourceError


def check_nesting(module: ast.Module) -> None:
    """Refuse a module that libcst could not go through.

    Chains of `and` and `or`, which are flat for Python, are nested for libcst.

    Raises:
        SourceError: the nesting is deeper than Python's stack, which libcst needs for it.
    """
    most = sys.getrecursionlimit()
    waiting: list[tuple[ast.AST, int, int]] = [(module, 0, 0)]
    while waiting:
        node, depth, line = waiting.pop()
        depth += len(node.values) if isinstance(node, ast.BoolOp) else 1
        line = getattr(node, "lineno", line)
        if depth > most:
            raise SourceError("too deeply nested", line)
        waiting += [(child, depth, line) for child in ast.iter_child_nodes(node)]
