"""The source line of a finding with a mark below it, as columns of a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from tfgpu.findings import Finding
from tfgpu.report.printable import printable

_TAB = 4
_WIDEST = 120
_CUT = "…"


def excerpt(finding: Finding) -> list[tuple[str, str]]:
    """Return the source line with its number and the mark below, each as gutter and text.

    Nothing where the line is not known. Of a long line the part around the finding is shown.
    """
    if not finding.snippet.strip():
        return []
    chars = list(_shown(finding.snippet))
    start = min(max(finding.column - 1, 0), len(chars))
    end = len(chars)
    if finding.end_line == finding.line:
        end = min(max(finding.end_column - 1, start), len(chars))
    first, last = _window(chars, start, end)
    head, tail = _CUT if first else "", _CUT if last < len(chars) else ""
    text = "".join(shown for shown, _ in chars[first:last])
    before = len(head) + _width(chars[first:start])
    mark = "^" * max(_width(chars[start : min(end, last)]), 1)
    number = f"{finding.line:5}"
    return [
        (f"{number} | ", f"{head}{text}{tail}".rstrip()),
        (f"{'':{len(number)}} | ", " " * before + mark),
    ]


def _shown(line: str) -> Iterator[tuple[str, int]]:
    """Yield how each character is shown, and how many columns it takes."""
    column = 0
    for char in line:
        if char == "\t":
            shown = " " * (_TAB - column % _TAB)
            width = len(shown)
        else:
            shown = printable(char)
            width = sum(map(_columns, shown))
        column += width
        yield shown, width


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _width(chars: list[tuple[str, int]]) -> int:
    return sum(width for _, width in chars)


def _window(chars: list[tuple[str, int]], start: int, end: int) -> tuple[int, int]:
    """Return the part of a line to show: all of it, or what is around the finding."""
    if _width(chars) <= _WIDEST:
        return 0, len(chars)
    first = start
    room = max(_WIDEST - _width(chars[start:end]), _WIDEST // 4)
    while first and _width(chars[first - 1 : start]) <= room // 2:
        first -= 1
    last = first
    while last < len(chars) and _width(chars[first : last + 1]) <= _WIDEST:
        last += 1
    return first, last
