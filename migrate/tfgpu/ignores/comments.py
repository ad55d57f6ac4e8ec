"""Finds the comments to tfgpu in a text, and the lines that each of them is about.

`# tfgpu: ignore[RULE, ...] reason` is about the statement that it is in or after, or, alone
on its line, about the statement below; `# tfgpu: ignore-file[RULE, ...] reason` about the file.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from tfgpu.dataclass import dataclass

# What every comment to tfgpu has in it.
MARK = "tfgpu:"
_COMMENT = re.compile(r"(?:#|//)[ \t]*tfgpu:[ \t]*(?P<order>[^#\n]*)")
_ORDER = re.compile(r"(?P<word>ignore|ignore-file)[ \t]*\[(?P<rules>[^]]*)\](?P<reason>.*)")
_LAYOUT = frozenset(
    [tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER]
)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment to tfgpu: its place, and the lines (both from 1) and rules that it is about.

    `rules` are names and code prefixes; None tells that the comment is not understood.
    """

    line: int
    column: int
    end_column: int
    first: int
    last: int
    rules: tuple[str, ...] | None
    whole_file: bool = False

    def is_about(self, line: int) -> bool:
        """Tell whether a line is one of those that the comment is about."""
        return self.whole_file or self.first <= line <= self.last


def python_comments(text: str) -> list[Comment]:
    """Return the comments to tfgpu in Python source; strings hold none."""
    if MARK not in text:
        return []
    found = [
        (token.start[0], token.start[1] + 1, token.string)
        for token in _tokens(text)
        if token.type == tokenize.COMMENT
    ]
    return list(_comments(found, statements(text)))


def statements(text: str) -> list[tuple[int, int]]:
    """Return the first and last line of every statement, of a compound one that of its header."""
    found: list[tuple[int, int]] = []
    first = 0
    for token in _tokens(text):
        line, _ = token.start
        if token.type == tokenize.NEWLINE:
            found.append((first, line))
            first = 0
        elif token.type not in _LAYOUT and not first:
            first = line
    return found


def line_comments(text: str, mark: str = "#") -> list[Comment]:
    """Return the comments to tfgpu in a text whose comments go from a mark to the line's end.

    A statement is a line, with those that it goes on in after a backslash.
    """
    if MARK not in text:
        return []
    found: list[tuple[int, int, str]] = []
    lines: list[tuple[int, int]] = []
    first = 0
    for number, line in enumerate(text.splitlines(), 1):
        comment = re.search(rf"(?:^|(?<=\s)){re.escape(mark)}[ \t]*{MARK}", line)
        if comment is not None:
            found.append((number, comment.start() + 1, line[comment.start() :]))
        if not line.strip() or line.lstrip().startswith(mark):
            continue
        first = first or number
        if not line.endswith("\\"):
            lines.append((first, number))
            first = 0
    return list(_comments(found, lines))


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens of a text as far as it is Python."""
    lines = io.StringIO(text.replace("\r\n", "\n").replace("\r", "\n"))
    try:
        yield from tokenize.generate_tokens(lines.readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _comments(
    found: Iterable[tuple[int, int, str]], covered: list[tuple[int, int]]
) -> Iterator[Comment]:
    ends = [last for _, last in covered]
    for line, column, text in found:
        for match in _COMMENT.finditer(text):
            at = bisect_left(ends, line)
            first, last = covered[at] if at < len(ends) else (line, line)
            rules, whole_file = _parse(match["order"].rstrip())
            start = column + match.start()
            end = column + len(match[0].rstrip()) + match.start()
            yield Comment(line, start, end, first, last, rules, whole_file)


def _parse(order: str) -> tuple[tuple[str, ...] | None, bool]:
    """Return the rules that a comment names, None for one that is not understood."""
    match = _ORDER.fullmatch(order)
    if match is None:
        return None, False
    rules = tuple(rule.strip() for rule in match["rules"].split(","))
    return (rules if all(rules) else None), match["word"] == "ignore-file"
