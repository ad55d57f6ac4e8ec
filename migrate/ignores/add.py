"""Writes comments that ignore findings, and nothing else, into Python source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from migrate.engine import parse
from migrate.findings import Finding
from migrate.ignores.comments import Comment, python_comments, statements

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
# Findings on comments to tfgpu are about the comments.
_ABOUT_COMMENTS = "TFX"


def with_ignores(text: str, findings: Iterable[Finding], reason: str) -> str:
    """Return a text with a comment for each statement that has findings.

    The places of the findings are those in the text. A comment that is there already gets the
    rules that it does not name. What has no statement gets no comment.
    """
    ends = statements(text)
    present: dict[int, Comment] = {
        comment.first: comment
        for comment in python_comments(text)
        if comment.rules is not None and not comment.whole_file
    }
    wanted: dict[tuple[int, int], set[str]] = {}
    for finding in findings:
        if not finding.code.startswith(_ABOUT_COMMENTS):
            for first, last in ends:
                if first <= finding.line <= last:
                    wanted.setdefault((first, last), set()).add(finding.name)
    lines = _LINE.findall(text)
    for (first, last), rules in wanted.items():
        comment = present.get(first)
        if comment is not None and comment.rules is not None:
            named = ", ".join([*comment.rules, *sorted(rules.difference(comment.rules))])
            line = lines[comment.line - 1]
            place = slice(comment.column - 1, comment.end_column - 1)
            order, _, behind = line[place].partition("]")
            before = order.partition("[")[0]
            new = f"{before}[{named}]{behind}"
            lines[comment.line - 1] = line[: place.start] + new + line[place.stop :]
            continue
        line = lines[last - 1]
        code = line.rstrip("\r\n")
        end = line[len(code) :]
        listed = ", ".join(sorted(rules))
        lines[last - 1] = f"{code.rstrip()}  # tfgpu: ignore[{listed}] {reason}".rstrip() + end
    new_text = "".join(lines)
    assert ast.dump(parse(new_text)) == ast.dump(parse(text)), "a comment changed the code"
    return new_text
