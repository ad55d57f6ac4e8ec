"""The source of a notebook cell as its JSON writes it, edited line by line."""

from __future__ import annotations

import json
import re
from difflib import SequenceMatcher

from tfgpu.files import jsontext


class RawLines:
    """The lines of a cell's source, a string or a list of strings, as they stand in the JSON."""

    def __init__(self, text: str, span: jsontext.Span) -> None:
        self._text = text
        self._span = span
        self._is_list = text[span[0]] == "["
        strings = list(jsontext.items(text, span[0])) if self._is_list else [span]
        places = [place for string in strings for place in jsontext.characters(text, string)]
        characters = [json.loads(f'"{text[start:end]}"') for start, end in places]
        # Where each line begins and ends, and what it says.
        self._lines: list[tuple[jsontext.Span, str]] = []
        first = 0
        for number, character in enumerate(characters):
            if character == "\n" or number == len(characters) - 1:
                line = "".join(characters[first : number + 1])
                self._lines.append(((places[first][0], places[number][1]), line))
                first = number + 1

    def edited(self, source: str) -> str:
        """Return the JSON of a new source; lines that stay are written as they were."""
        start, end = self._span
        if not source or not self._lines:
            written = _encode(source, self._text)
            return ("[]" if not source else f'["{written}"]') if self._is_list else f'"{written}"'
        old = [line for _, line in self._lines]
        new = _lines(source)
        # For each new line: the old one that it is, or None.
        origins: list[int | None] = []
        endless = [line.removesuffix("\n") for line in old]
        for tag, i1, i2, j1, j2 in SequenceMatcher(
            None, endless, [line.removesuffix("\n") for line in new], autojunk=False
        ).get_opcodes():
            origins += range(i1, i2) if tag == "equal" else [None] * (j2 - j1)
        pieces = [self._text[start : self._lines[0][0][0]]]
        before: int | None = None
        for number, (line, origin) in enumerate(zip(new, origins, strict=True)):
            if number:
                pieces.append(self._gap(before, origin))
            pieces.append(self._written(line, origin))
            before = origin
        return "".join([*pieces, self._text[self._lines[-1][0][1] : end]])

    def _written(self, line: str, origin: int | None) -> str:
        """Return a line as the JSON writes it, without what stands between lines."""
        if origin is None:
            return _encode(line, self._text)
        (start, end), old = self._lines[origin]
        raw = self._text[start:end]
        if line == old:
            return raw
        if line.endswith("\n"):
            return raw + "\\n"
        return raw.removesuffix("\\n") if raw.endswith("\\n") else _encode(line, self._text)

    def _gap(self, before: int | None, origin: int | None) -> str:
        """Return what stands between two lines: nothing, or the end of an item and a new one."""
        if before is not None and origin == before + 1:
            return self._between(before)
        if not self._is_list:
            return ""
        gaps = [self._between(number) for number in range(len(self._lines) - 1)]
        if any(gaps):
            return min(filter(None, gaps), key=len)
        opening = self._text[self._span[0] + 1 : self._lines[0][0][0] - 1]
        return f'",{opening}"' if opening else '", "'

    def _between(self, number: int) -> str:
        return self._text[self._lines[number][0][1] : self._lines[number + 1][0][0]]


def _lines(source: str) -> list[str]:
    """Return the lines of a source with their line feeds, which alone end lines."""
    return re.findall(r"[^\n]*\n|[^\n]+", source)


def _encode(line: str, document: str) -> str:
    """Return text as a JSON string of the document's style, without quotes."""
    return json.dumps(line, ensure_ascii=document.isascii())[1:-1]
