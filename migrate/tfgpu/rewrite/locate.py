"""Finds the libcst nodes of `ast` nodes.

Both trees have the same statements in the same order, so they are walked side by side; that costs
nothing next to libcst's position metadata. Calls, attributes and list comprehensions inside one
statement are matched by their order, and compared.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import libcst as cst

_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
# What can be changed inside a statement.
_KINDS: Mapping[type[cst.CSTNode], type[ast.expr]] = {
    cst.Call: ast.Call,
    cst.Attribute: ast.Attribute,
    cst.ListComp: ast.ListComp,
}


class LocateError(Exception):
    """The two trees of one file differ; nothing of it is changed then."""


def header_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement, without those of its blocks, in the order of the source.

    An outer node comes before those inside it.
    """
    stack = _children(statement)
    while stack:
        node = stack.pop()
        yield node
        stack += _children(node)


def _children(node: ast.AST) -> list[ast.AST]:
    """Return the children of a node, the last one in the source first."""
    found: list[ast.AST] = []
    for name, value in ast.iter_fields(node):
        if isinstance(node, ast.stmt) and name in _BLOCKS and isinstance(value, list):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.expr | ast.keyword | ast.arg | ast.pattern):
                found.append(child)
            elif isinstance(child, ast.AST):
                # Without a position of its own: arguments, comprehensions, items of `with`.
                found += reversed(_children(child))
    if not isinstance(node, ast.JoinedStr | ast.FormattedValue):
        # Python before 3.12 has no sound positions inside f-strings, but the right order.
        found.sort(key=_start)
    return found[::-1]


def _start(node: ast.AST) -> tuple[int, int]:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


class _Visitor(cst.CSTVisitor):
    def __init__(self, root: cst.CSTNode) -> None:
        super().__init__()
        self.root = root
        self.found: dict[type[cst.CSTNode], list[cst.CSTNode]] = {kind: [] for kind in _KINDS}

    def on_visit(self, node: cst.CSTNode) -> bool:
        if type(node) in _KINDS:
            self.found[type(node)].append(node)
        block = (
            cst.IndentedBlock,
            cst.SimpleStatementSuite,
            cst.Else,
            cst.ExceptHandler,
            cst.ExceptStarHandler,
            cst.MatchCase,
        )
        return not isinstance(node, block) and (not isinstance(node, cst.If) or node is self.root)


def match_nodes(statement: ast.stmt, node: cst.CSTNode) -> dict[cst.CSTNode, ast.AST]:
    """Return the `ast` node of every libcst node of a statement's header that can be changed.

    Raises:
        LocateError: the nodes of the two trees are not the same.
    """
    visitor = _Visitor(node)
    node.visit(visitor)
    nodes = list(header_nodes(statement))
    matched: dict[cst.CSTNode, ast.AST] = {}
    for kind, ours in _KINDS.items():
        found = visitor.found[kind]
        wanted = [item for item in nodes if type(item) is ours]
        if len(wanted) != len(found) or any(map(_differ, found, wanted)):
            words = f"{len(wanted)} of {ours.__name__}, not the same {len(found)}"
            raise LocateError(f"line {statement.lineno}: {words}")
        matched.update(zip(found, wanted, strict=True))
    return matched


def _differ(found: cst.CSTNode, wanted: ast.AST) -> bool:
    """Tell whether two attributes have different names."""
    return (
        isinstance(found, cst.Attribute)
        and isinstance(wanted, ast.Attribute)
        and found.attr.value != wanted.attr
    )
