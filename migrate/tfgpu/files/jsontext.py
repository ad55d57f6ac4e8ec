"""Places in the text of a JSON document that is known to be valid: values are found, not built."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from tfgpu.files.pattern import expression

_BLANK = expression(r"[ \t\r\n]*")
_STRING = expression(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_PARTS = expression(rf"{_STRING.pattern}|[\[{{]|[\]}}]")
_SCALAR = expression(r"[^\s,\]}]+")
_CHARACTER = expression(r"\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u....|\\.|[^\\]", re.DOTALL)

# Where a value begins, and where it ends.
Span = tuple[int, int]


def value_end(text: str, start: int) -> int:
    """Return where the value that begins at `start` ends."""
    if text[start] == '"':
        return _match(_STRING, text, start).end()
    if text[start] not in "[{":
        return _match(_SCALAR, text, start).end()
    depth = 0
    for part in _PARTS.finditer(text, start):
        if part[0] in "[{":
            depth += 1
        elif part[0] in "]}":
            depth -= 1
            if not depth:
                return part.end()
    raise AssertionError("not a valid JSON document")  # pragma: no cover


def items(text: str, start: int) -> Iterator[Span]:
    """Yield where each item of the array at `start` stands."""
    position = skip_blank(text, start + 1)
    while text[position] != "]":
        end = value_end(text, position)
        yield position, end
        position = skip_blank(text, end)
        if text[position] == ",":
            position = skip_blank(text, position + 1)


def members(text: str, start: int) -> dict[str, Span]:
    """Return where the value of each member of the object at `start` stands."""
    found = {}
    position = skip_blank(text, start + 1)
    while text[position] != "}":
        end = value_end(text, position)
        key = json.loads(text[position:end])
        colon = skip_blank(text, end)
        position = skip_blank(text, colon + 1)
        end = value_end(text, position)
        found[key] = (position, end)
        position = skip_blank(text, end)
        if text[position] == ",":
            position = skip_blank(text, position + 1)
    return found


def skip_blank(text: str, position: int) -> int:
    """Return the place of the next character that is no blank."""
    return _match(_BLANK, text, position).end()


def characters(text: str, span: Span) -> Iterator[Span]:
    """Yield where each character of the string at `span`, in its quotes, is written."""
    for found in _CHARACTER.finditer(text, span[0] + 1, span[1] - 1):
        yield found.span()


def _match(pattern: re.Pattern[str], text: str, position: int) -> re.Match[str]:
    found = pattern.match(text, position)
    assert found is not None, "not a valid JSON document"
    return found
