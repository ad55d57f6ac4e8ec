"""Filters the findings of a text by options and comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from string import Template

from tfgpu.dataclass import replace
from tfgpu.ignores.comments import Comment
from tfgpu.options import Options, names
from tfgpu.results import Finding
from tfgpu.rulebook.book import Rulebook
from tfgpu.rulebook.model import CheckRule

_MALFORMED = "ignore-malformed"
_UNKNOWN = "ignore-unknown"
_UNUSED = "ignore-unused"


def told(
    findings: Iterable[Finding],
    comments: list[Comment],
    options: Options,
    book: Rulebook,
    line: Callable[[int], str],
) -> list[Finding]:
    """Return the findings that are selected and not ignored, and those on the comments themselves.

    `line` returns a line of the text. Findings on comments cannot be ignored by comments.
    """
    used: set[tuple[Comment, str]] = set()
    left: list[Finding] = []
    for finding in findings:
        if not options.selects(finding):
            continue
        ignoring = {
            (comment, pattern)
            for comment in comments
            if comment.is_about(finding.line)
            for pattern in comment.rules or ()
            if names(pattern, finding)
        }
        used |= ignoring
        if not ignoring:
            left.append(finding)
    left += filter(options.selects, _on_comments(comments, used, options, book, line))
    return [
        replace(item, severity=options.severity_of(item, item.severity))
        for item in sorted(left, key=lambda item: (item.line, item.column, item.code))
    ]


def _on_comments(
    comments: list[Comment],
    used: set[tuple[Comment, str]],
    options: Options,
    book: Rulebook,
    line: Callable[[int], str],
) -> Iterator[Finding]:
    for comment in comments:
        snippet = line(comment.line)
        if comment.rules is None:
            text = snippet[comment.column - 1 : comment.end_column - 1]
            yield _finding(_MALFORMED, comment, snippet, book, text=text)
        for pattern in comment.rules or ():
            if not book.knows(pattern):
                nearest = book.nearest_rule(pattern)
                hint = f"; did you mean {nearest}?" if nearest else ""
                yield _finding(_UNKNOWN, comment, snippet, book, pattern=pattern, hint=hint)
            elif (comment, pattern) not in used and _is_selected(pattern, options, book):
                yield _finding(_UNUSED, comment, snippet, book, pattern=pattern)


def is_unused(finding: Finding, pattern: str) -> bool:
    """Tell whether a finding says that a comment ignores a rule for nothing."""
    return finding.name == _UNUSED and finding.message.endswith(f" {pattern}")


def _is_selected(pattern: str, options: Options, book: Rulebook) -> bool:
    """Tell whether every rule that a pattern names could have been reported."""
    return all(options.selects(rule) for rule in book.rules if names(pattern, rule))


def _finding(name: str, comment: Comment, snippet: str, book: Rulebook, **details: str) -> Finding:
    rule = book.find(name)
    assert isinstance(rule, CheckRule)
    return Finding(
        code=rule.code,
        name=rule.name,
        line=comment.line,
        column=comment.column,
        message=Template(rule.message).safe_substitute(details),
        todo=rule.todo,
        fix=rule.fix,
        severity=rule.severity,
        end_line=comment.line,
        end_column=comment.end_column,
        snippet=snippet,
    )
