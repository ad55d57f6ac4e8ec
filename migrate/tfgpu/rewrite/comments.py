"""Comments and blank lines around code that goes or moves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

import libcst as cst

from tfgpu.files.pattern import expression

# Comments to tools about the line that they end; on a line of their own they say something else.
_PRAGMA = expression(
    r"#\s*(?:pylint|flake8|mypy|pyright|pytype|yapf|fmt|isort|ruff|pragma|type|noqa|nosec|nolint)\b",
    re.I,
)
_Node = TypeVar("_Node", bound=cst.CSTNode)
_Line = cst.SimpleStatementLine | cst.BaseCompoundStatement


class _NoComments(cst.CSTTransformer):
    def leave_TrailingWhitespace(
        self, original_node: cst.TrailingWhitespace, updated_node: cst.TrailingWhitespace
    ) -> cst.TrailingWhitespace:
        if updated_node.comment is None:
            return updated_node
        return updated_node.with_changes(comment=None, whitespace=cst.SimpleWhitespace(""))

    def leave_EmptyLine(
        self, original_node: cst.EmptyLine, updated_node: cst.EmptyLine
    ) -> cst.EmptyLine | cst.RemovalSentinel:
        return updated_node if updated_node.comment is None else cst.RemoveFromParent()


class _Comments(cst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[cst.Comment] = []

    def visit_Comment(self, node: cst.Comment) -> None:
        self.found.append(node)


def inside(node: cst.CSTNode) -> list[cst.Comment]:
    """Return the comments inside a node, in order."""
    visitor = _Comments()
    node.visit(visitor)
    return visitor.found


def of_lines(space: cst.ParenthesizedWhitespace | None) -> list[cst.Comment]:
    """Return the comments on lines of their own in a space between brackets."""
    lines = space.empty_lines if space is not None else ()
    return [line.comment for line in lines if line.comment is not None]


def without(node: _Node) -> _Node:
    """Return a node without the comments inside it."""
    changed = node.visit(_NoComments())
    assert isinstance(changed, type(node))
    return changed


def own_line(comment: cst.Comment) -> cst.EmptyLine:
    """Return a line with nothing but a comment, at the indentation of its block."""
    return cst.EmptyLine(comment=comment)


def is_pragma(comment: cst.Comment) -> bool:
    """Tell whether a comment tells a tool about the line that it ends."""
    return _PRAGMA.match(comment.value) is not None


def ended(line: _Line, comment: cst.Comment) -> _Line:
    """Return a statement with a comment after its first line, beside one that is there."""
    place: cst.CSTNode = line if isinstance(line, cst.SimpleStatementLine) else line.body
    name = "trailing_whitespace" if isinstance(line, cst.SimpleStatementLine) else "header"
    before: cst.TrailingWhitespace | None = getattr(place, name, None)
    if before is None:
        return line
    if before.comment is not None:
        comment = cst.Comment(f"{before.comment.value}  {comment.value}")
    behind = before.with_changes(whitespace=cst.SimpleWhitespace("  "), comment=comment)
    if place is line:
        return line.with_changes(trailing_whitespace=behind)
    return line.with_changes(body=place.with_changes(header=behind))


def is_blank(line: cst.EmptyLine) -> bool:
    """Tell whether a line is empty."""
    return line.comment is None


def without_blanks(lines: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """Return the comment lines among lines."""
    return [line for line in lines if not is_blank(line)]


def leading_blanks(lines: Sequence[cst.EmptyLine]) -> int:
    """Return how many empty lines come before the first comment."""
    for number, line in enumerate(lines):
        if not is_blank(line):
            return number
    return len(lines)


def join(above: Sequence[cst.EmptyLine], below: Sequence[cst.EmptyLine]) -> list[cst.EmptyLine]:
    """Join the lines above a statement that went to those above what follows it.

    What went leaves no gap: empty lines that only stood around it are not added up.
    """
    if without_blanks(above):
        return [*above, *below]
    blanks = max(above, below, key=leading_blanks)
    return [*blanks[: leading_blanks(blanks)], *below[leading_blanks(below) :]]


def split(lines: Sequence[cst.EmptyLine]) -> tuple[list[cst.EmptyLine], list[cst.EmptyLine]]:
    """Split the lines above a statement at the last empty one: what follows belongs to it."""
    place = max((number for number, line in enumerate(lines) if is_blank(line)), default=-1)
    return list(lines[: place + 1]), list(lines[place + 1 :])
