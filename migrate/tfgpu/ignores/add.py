"""Writes comments that ignore findings, and nothing else, into Python source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from tfgpu.code.parse import parse
from tfgpu.ignores.comments import Comment, python_comments, statements

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


def with_ignores(text: str, wanted: Iterable[tuple[int, str]], reason: str) -> str:
    """Return a text with comments that ignore rules, by name, in the statements of lines.

    A comment that is there already gets the rules that it does not name. What is in no
    statement gets no comment.
    """
    present: dict[int, Comment] = {
        comment.first: comment
        for comment in python_comments(text)
        if comment.rules is not None and not comment.whole_file
    }
    rules: dict[tuple[int, int], set[str]] = {}
    spans = Spans(text)
    for line, name in wanted:
        span = spans.of(line)
        if span is not None:
            rules.setdefault(span, set()).add(name)
    lines = _LINE.findall(text)
    for (first, last), names in rules.items():
        comment = present.get(first)
        if comment is not None and comment.rules is not None:
            named = ", ".join([*comment.rules, *sorted(names.difference(comment.rules))])
            line = lines[comment.line - 1]
            start, end = comment.column - 1, comment.end_column - 1
            order, _, behind = line[start:end].partition("]")
            new = f"{order.partition('[')[0]}[{named}]{behind}"
            lines[comment.line - 1] = line[:start] + new + line[end:]
            continue
        line = lines[last - 1]
        code = line.rstrip("\r\n")
        listed = ", ".join(sorted(names))
        comment_text = f"# tfgpu: ignore[{listed}] {reason}".rstrip()
        lines[last - 1] = f"{code.rstrip()}  {comment_text}{line[len(code) :]}"
    new_text = "".join(lines)
    assert ast.dump(parse(new_text)) == ast.dump(parse(text)), "a comment changed the code"
    return new_text


class Spans:
    """The first and last line of the statement that a line of a text belongs to."""

    def __init__(self, text: str) -> None:
        self._of: dict[int, tuple[int, int]] = {
            line: (first, last)
            for first, last in statements(text)
            for line in range(first, last + 1)
        }

    def of(self, line: int) -> tuple[int, int] | None:
        """Return the lines of the statement of a line, None for a line between statements."""
        return self._of.get(line)
