"""The source line of a finding with a mark below it, as columns of a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from tfgpu.place import printable
from tfgpu.results import Finding

_TAB = 4
_WIDEST = 120
_CUT = "…"
# Of a line that is longer than this on both sides of a finding, only so much is looked at, and
# written: a line of a thousand findings is not written a thousand times.
_REACH = 400


def excerpt(finding: Finding) -> list[tuple[str, str]]:
    """Return the source line with its number and the mark below, each as gutter and text.

    Nothing where the line is not known. Of a long line the part around the finding is shown.
    """
    if not finding.snippet or finding.snippet.isspace():
        return []
    offset, stop = _near(finding)
    shown, widths = _shown(finding.snippet[offset:stop])
    start = min(max(finding.column - 1 - offset, 0), len(widths))
    end = len(widths)
    if finding.end_line == finding.line:
        end = min(max(finding.end_column - 1 - offset, start), len(widths))
    first, last = _window(widths, start, end)
    head = _CUT if offset or first else ""
    tail = _CUT if last < len(widths) or stop < len(finding.snippet) else ""
    text = "".join(shown[first:last])
    before = len(head) + sum(widths[first:start])
    mark = "^" * max(sum(widths[start : min(end, last)]), 1)
    number = f"{finding.line:5}"
    return [
        (f"{number} | ", f"{head}{text}{tail}".rstrip()),
        (f"{'':{len(number)}} | ", " " * before + mark),
    ]


def shortened(finding: Finding) -> str:
    """Return the source line as it is; of a very long one, the part around the finding."""
    first, last = _near(finding)
    line = finding.snippet
    return f"{_CUT if first else ''}{line[first:last]}{_CUT if last < len(line) else ''}"


def _near(finding: Finding) -> tuple[int, int]:
    """Return the part of the source line that is near the finding, mostly all of it."""
    length = len(finding.snippet)
    first = max(min(finding.column - 1, length) - _REACH, 0)
    return first, min(first + 2 * _REACH, length)


def _shown(line: str) -> tuple[Sequence[str], Sequence[int]]:
    """Return how each character is shown, and how many columns each takes."""
    if line.isascii() and line.isprintable():
        return line, b"\1" * len(line)
    found: list[str] = []
    widths: list[int] = []
    column = 0
    for char in line:
        if char == "\t":
            shown = " " * (_TAB - column % _TAB)
            width = len(shown)
        else:
            shown = printable(char)
            width = sum(map(_columns, shown))
        column += width
        found.append(shown)
        widths.append(width)
    return found, widths


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _window(widths: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """Return the part of a line to show: all of it, or what is around the finding."""
    if sum(widths) <= _WIDEST:
        return 0, len(widths)
    room = max(_WIDEST - sum(widths[start:end]), _WIDEST // 4) // 2
    first = start - _fitting(reversed(widths[:start]), room)
    return first, first + _fitting(widths[first:], _WIDEST)


def _fitting(widths: Iterable[int], room: int) -> int:
    """Return how many of some characters fit into so many columns."""
    count = 0
    for width in widths:
        room -= width
        if room < 0:
            break
        count += 1
    return count
