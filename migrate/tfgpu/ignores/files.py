"""Writes comments that ignore all findings of a run, and nothing else, into its files."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tfgpu.code.parse import parse
from tfgpu.dataclass import dataclass, field
from tfgpu.files.files import write
from tfgpu.files.pattern import expression
from tfgpu.files.pyfile import SourceError
from tfgpu.files.read import Module
from tfgpu.ignores.apply import is_unused
from tfgpu.ignores.comments import Comment, python_comments, statements
from tfgpu.results import Result

# Findings on comments to tfgpu are about the comments.
_ABOUT_COMMENTS = "TFX"
_LINE = expression(r"[^\r\n]*(?:\r\n|\r|\n|$)")


@dataclass(slots=True)
class _File:
    """A file as it was, and the line and name of every rule that is to be ignored in it.

    What is `dropped` was ignored for nothing once the rest was, and is not tried again. A file
    that cannot be written, or has no statement to put a comment in, is never `written`.
    """

    source: Module
    wanted: set[tuple[int, str]] = field(default_factory=set)
    dropped: set[tuple[int, str]] = field(default_factory=set)
    written: bool = False


class Adding:
    """The comments that a run adds, audit by audit, each for the same reason."""

    def __init__(self, reason: str) -> None:
        self._reason = reason
        self._files: dict[str, _File] = {}

    @property
    def paths(self) -> list[str]:
        """The files that have new comments."""
        return [path for path, file in self._files.items() if file.wanted and file.written]

    def add(self, results: Iterable[Result]) -> bool:
        """Write a comment for every finding in Python source; tell whether a file changed.

        What is ignored keeps configs, which can make other findings come or go: this is to be done
        again until no file changes. A file that cannot be written is a result that failed.
        """
        changed = [self._add(result) for result in results]
        return any(changed)

    def _add(self, result: Result) -> bool:
        if result.source is None or result.reason is not None or not result.findings:
            return False
        file = self._files.setdefault(result.path, _File(result.source))
        self._look(result, file)
        try:
            text = with_ignores(file.source.text, file.wanted, self._reason)
            if text == result.source.text:
                return False
            write(result.path, result.old, file.source.encode(text))
            file.written = True
        except SourceError as error:
            result.reason, result.line = str(error), error.line
            return False
        return True

    def _look(self, result: Result, file: _File) -> None:
        """Add the findings of an audit; comments are added at line ends, so that lines stay."""
        spans = Spans(file.source.text)
        count = len(file.source.text.splitlines()) + 1
        lines = {file.source.cells.place(number): number for number in range(count, 0, -1)}
        for finding in result.findings:
            line = lines.get((finding.cell, finding.line), 0)
            if not finding.code.startswith(_ABOUT_COMMENTS):
                file.wanted.add((line, finding.name))
            else:
                file.dropped |= {
                    (other, name)
                    for other, name in file.wanted
                    if is_unused(finding, name) and spans.of(other) == spans.of(line)
                }
        file.wanted -= file.dropped


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
