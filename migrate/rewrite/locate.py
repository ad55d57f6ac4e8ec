"""Finds the libcst nodes of `ast` nodes.

Both trees have the same statements in the same order, so they are walked side by side; that costs
nothing next to libcst's position metadata. Calls inside one statement are matched by their order,
and compared.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import libcst as cst

_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")


class LocateError(Exception):
    """The two trees of one file differ; nothing of it is changed then."""


def header_calls(statement: ast.stmt) -> list[ast.Call]:
    """Return the calls of a statement, without those of its blocks, in the order of the source."""
    found: list[ast.Call] = []
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call):
            found.append(node)
        for name, value in ast.iter_fields(node):
            if node is statement and name in _BLOCKS and isinstance(value, list):
                continue
            children: Sequence[Any] = value if isinstance(value, list) else [value]
            stack.extend(child for child in children if isinstance(child, ast.AST))
    # An outer call starts where its callee starts, and ends behind it.
    return sorted(
        found,
        key=lambda call: (
            call.lineno,
            call.col_offset,
            -(call.end_lineno or 0),
            -(call.end_col_offset or 0),
        ),
    )


class _Calls(cst.CSTVisitor):
    def __init__(self, root: cst.CSTNode) -> None:
        super().__init__()
        self.root = root
        self.found: list[cst.Call] = []

    def visit_Call(self, node: cst.Call) -> None:
        self.found.append(node)

    def visit_IndentedBlock(self, node: cst.IndentedBlock) -> bool:
        return False

    def visit_SimpleStatementSuite(self, node: cst.SimpleStatementSuite) -> bool:
        return False

    def visit_Else(self, node: cst.Else) -> bool:
        return False

    def visit_If(self, node: cst.If) -> bool:
        return node is self.root

    def visit_MatchCase(self, node: cst.MatchCase) -> bool:
        return False


def match_calls(statement: ast.stmt, node: cst.CSTNode) -> dict[cst.Call, ast.Call]:
    """Return the `ast` call of every libcst call of a statement's header.

    Raises:
        LocateError: the calls of the two trees are not the same.
    """
    visitor = _Calls(node)
    node.visit(visitor)
    calls = header_calls(statement)
    if len(calls) != len(visitor.found):
        raise LocateError(f"line {statement.lineno}: {len(calls)} calls, not {len(visitor.found)}")
    return dict(zip(visitor.found, calls, strict=True))
