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
from tfgpu.files.kinds import LANGUAGES, Kind
from tfgpu.files.pattern import expression

# What every comment to tfgpu has in it.
MARK = "tfgpu:"
_COMMENT = expression(
    r"(?:[#;]|//+|/?\*+|(?i:rem)\b|::)[ \t]*tfgpu:[ \t]*(?P<order>(?:(?!\*/)[^#\n])*)(?:\*/)?"
)
_ORDER = expression(r"(?P<word>ignore|ignore-file)[ \t]*\[(?P<rules>[^]]*)\](?P<reason>.*)")
# What starts a comment, by the kind of file; a line of `/* ... */` may start with `*`.
HASH, SLASHES = r"#", r"//+|/?\*+"
BATCH, INI = r"(?i:rem)\b|::", r"[#;]"
# A line of code that the next one goes on with, and one that goes on with the one before.
_GOES_ON = expression(r"(?:[(,=.+\[]|&&|\|\||->|<-)$")
_CONTINUES = expression(r"[.)\]]|->|\?\.")
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


def mark_of(kind: Kind) -> str:
    """Return what starts a comment in a kind of file, as a pattern."""
    if kind is Kind.BATCH:
        return BATCH
    if kind is Kind.INI:
        return INI
    return SLASHES if kind is Kind.JSON or kind in LANGUAGES - {Kind.R} else HASH


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


def line_comments(text: str, mark: str = HASH) -> list[Comment]:
    """Return the comments to tfgpu in a text; `mark` is what starts its comments, as a pattern.

    A statement is a line, with those that it goes on in: after a backslash, and in languages
    with `//` after what asks for more, or before a dot.
    """
    if MARK not in text:
        return []
    found: list[tuple[int, int, str]] = []
    lines: list[tuple[int, int]] = []
    first = 0
    pattern = re.compile(rf"(?:^|(?<=[\s;{{}}]))(?:{mark})[ \t]*{MARK}")
    alone = re.compile(rf"\s*(?:{mark})")
    for number, line in enumerate(text.splitlines(), 1):
        comment = pattern.search(line)
        code = line if comment is None else line[: comment.start()]
        if comment is not None:
            found.append((number, comment.start() + 1, line[comment.start() :]))
            code += line[comment.start() :].partition("*/")[2] if mark == SLASHES else ""
        if not code.strip() or alone.match(code):
            continue
        code = code.strip()
        if mark == SLASHES and lines and not first and _CONTINUES.match(code):
            first, _ = lines.pop()
        first = first or number
        if not (code.endswith("\\") or (mark == SLASHES and _GOES_ON.search(code))):
            lines.append((first, number))
            first = 0
    if first:
        lines.append((first, number))
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
