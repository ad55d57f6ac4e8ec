"""Reads Jupyter notebooks: their code cells as one module, edited in the JSON text itself.

Between two cells stands a line with a string, a statement of its own, so that comments and new
statements stay in the cell that they belong to.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

from tfgpu.dataclass import dataclass, replace
from tfgpu.files import jsontext
from tfgpu.files.cells import Cells
from tfgpu.files.magics import Magic, Mask, Masked, Masker, unmask
from tfgpu.files.pattern import expression
from tfgpu.files.pyfile import MAX_BYTES, SourceError

# Outputs are skipped over, but have to be held in memory.
MAX_NOTEBOOK_BYTES = 128 * 2**20
_NAME = expression(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class _Cell:
    """A code cell: its number among all cells, where its source stands, and the source."""

    number: int
    span: jsontext.Span
    source: str


@dataclass(frozen=True, slots=True)
class Notebook:
    """The code cells of a notebook as one module; `magics` are the lines of IPython's in them.

    `broken` says what is wrong with the first cell that is no Python, if any is. Calls of
    a call of an unknown function replace such cells.
    """

    text: str
    bom: bool
    cells: Cells
    magics: list[Magic]
    broken: SourceError | None
    _json: str
    _mark: str
    _code: list[_Cell]
    _masks: list[list[Mask]]

    @property
    def encoding(self) -> str:
        """The encoding of JSON."""
        return "utf-8"

    def seen(self, line: int, column: int) -> tuple[str, int] | None:
        """Return a line of IPython's as the notebook has it; None for a line of Python."""
        cell, inside = self.cells.place(line)
        for magic in self.magics:
            lines = magic.text.removesuffix("\n").split("\n")
            if magic.cell == cell and 0 <= inside - magic.line < len(lines):
                return lines[inside - magic.line].removesuffix("\r"), 1
        return None

    def shown(self, text: str) -> str:
        """Return the JSON text of the notebook with a new module text.

        Raises:
            SourceError: the cells cannot be told apart any more, or a magic is gone.
        """
        if text == self.text:
            return self._json
        edits = []
        for cell, masks, old, new in zip(
            self._code, self._masks, self.split(self.text), self.split(text), strict=True
        ):
            if old != new:
                source = unmask(_trimmed(new, old), masks)
                if source is None:
                    raise SourceError(
                        "would change an IPython command; not changed", 0, cell.number
                    )
                edits.append((cell, source))
        pieces = []
        position = 0
        for cell, source in edits:
            start, end = cell.span
            raw = RawLines(self._json, cell.span).edited(source)
            written = json.loads(raw)
            assert (written if isinstance(written, str) else "".join(written)) == source
            pieces += [self._json[position:start], raw]
            position = end
        return "".join([*pieces, self._json[position:]])

    def encode(self, text: str) -> bytes:
        """Return the bytes of the notebook with a new module text.

        Raises:
            SourceError: the cells cannot be told apart any more, or a magic is gone.
        """
        data = self.shown(text).encode()
        return codecs.BOM_UTF8 + data if self.bom else data

    def without(self, broken: Mapping[int, SourceError]) -> Notebook:
        """Return the notebook with calls for some cells, by their numbers, that are no Python."""
        return _assembled(self._code, self._json, self.bom, broken)

    def parts(self) -> Iterator[Notebook]:
        """Yield each cell as a notebook of its own, to look at."""
        for number, text in zip(self.cells.numbers, self.split(self.text), strict=False):
            yield replace(self, text=text, cells=Cells((1,), (number,)))

    def magic_in(self, line: str) -> str | None:
        """Return what of IPython's a line of a module text stands for, None for Python."""
        masks = (mask for masks in self._masks for mask in masks)
        return next((m.original for m in masks if m.python.partition("\n")[0] in line), None)

    def split(self, text: str) -> list[str]:
        """Return the parts of a module text, one for each cell.

        Raises:
            SourceError: the cells cannot be told apart any more.
        """
        lines = text.split("\n")
        parts: list[list[str]] = [[]]
        for line in lines:
            if line.rstrip("\r") == _separator(self._mark, len(parts)):
                parts.append([])
            else:
                parts[-1].append(line)
        if len(parts) != max(len(self._code), 1):
            raise SourceError("the new code cannot be split into cells; not changed")
        return ["\n".join(part) for part in parts]

    def joined(self, parts: list[str]) -> str:
        """Return the module text of these parts, one for each cell."""
        text = parts[0]
        for number, part in enumerate(parts[1:], 1):
            text += f"\n{_separator(self._mark, number)}\n{part}"
        return text


def _separator(mark: str, number: int) -> str:
    return f'"{mark} after {number}"'


def _trimmed(new: str, old: str) -> str:
    """Return the new source of a cell without empty lines at its ends that the old one had not."""
    if not old.startswith("\n"):
        new = new.lstrip("\n")
    return new if old.endswith("\n") else new.rstrip("\n")


def read_notebook(data: bytes) -> Notebook:
    """Read the bytes of a notebook of nbformat 3 or 4; cells of other languages are left out.

    Raises:
        SourceError: too large, no JSON, or no notebook.
    """
    if len(data) > MAX_NOTEBOOK_BYTES:
        size = f"{len(data) / 2**20:.1f} MiB"
        raise SourceError(f"{size}; notebooks above {MAX_NOTEBOOK_BYTES // 2**20} MiB are not read")
    bom = data.startswith(codecs.BOM_UTF8)
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise SourceError("a notebook that is not UTF-8", line) from error
    return _assembled(_checked(list(_code_cells(text, _parsed(text)))), text, bom, {})


def _assembled(
    code: list[_Cell], text: str, bom: bool, broken: Mapping[int, SourceError]
) -> Notebook:
    """Put the cells of a notebook together; in place of those that are `broken` stand calls."""
    sources = "\n".join(cell.source for cell in code)
    mark = "tfgpu"
    while mark in sources:
        mark += "_"
    hidden = Masker(mark, frozenset())
    python, broken = [], dict(broken)
    for cell in code:
        try:
            python.append(hidden.mask(cell.source, cell.number).text)
        except SourceError as error:
            broken[cell.number] = error
    masker = Masker(mark, frozenset(_NAME.findall("\n".join(python))))
    parts, masks, magics, starts = [], [], [], []
    line = 1
    for place, cell in enumerate(code):
        if cell.number in broken:
            masked = Masked(masker.stand_in(cell.source), [], [])
        else:
            masked = masker.mask(cell.source, cell.number)
        if place:
            parts.append(_separator(mark, place))
            line += 1
        starts.append(line)
        line += masked.text.count("\n") + 1
        parts.append(masked.text)
        masks.append(masked.masks)
        magics += masked.magics
    cells = Cells(tuple(starts), tuple(cell.number for cell in code))
    first = broken[min(broken)] if broken else None
    return Notebook("\n".join(parts), bom, cells, magics, first, text, mark, code, masks)


def _parsed(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        last = text.rstrip("\n").count("\n") + 1
        raise SourceError(f"not valid JSON: {error.msg}", min(error.lineno, last)) from error
    except RecursionError as error:
        raise SourceError("too deeply nested") from error
    except ValueError as error:
        raise SourceError("a number of thousands of digits, which is not read") from error
    if not isinstance(found, dict) or not isinstance(found.get("nbformat"), int):
        raise SourceError("JSON, but no notebook")
    return found


def _code_cells(text: str, parsed: dict[str, Any]) -> Iterator[_Cell]:
    """Yield the cells of a notebook that hold Python."""
    if not _is_python(parsed.get("metadata")):
        return
    top = jsontext.members(text, jsontext.skip_blank(text, 0))
    sheets = [(parsed, top)]
    if parsed["nbformat"] < 4:
        if "worksheets" not in top:
            raise SourceError("a notebook without cells")
        sheets = [
            (sheet, jsontext.members(text, span[0]))
            for sheet, span in _items(text, top["worksheets"], parsed["worksheets"])
        ]
    number = 0
    for sheet, found in sheets:
        if "cells" not in found:
            raise SourceError("a notebook without cells")
        for cell, span in _items(text, found["cells"], sheet["cells"]):
            number += 1
            if cell.get("cell_type") == "code" and _is_python_cell(cell):
                key = "source" if "source" in cell else "input"
                source = cell.get(key)
                if isinstance(source, list) and all(isinstance(item, str) for item in source):
                    source = "".join(source)
                if not isinstance(source, str):
                    raise SourceError("a code cell without source", 0, number)
                yield _Cell(number, jsontext.members(text, span[0])[key], source)


def _items(
    text: str, span: jsontext.Span, parsed: object
) -> Iterator[tuple[dict[str, Any], jsontext.Span]]:
    """Yield the objects of an array, with where they stand."""
    if not isinstance(parsed, list) or not all(isinstance(item, dict) for item in parsed):
        raise SourceError("JSON, but no notebook")
    yield from zip(parsed, jsontext.items(text, span[0]), strict=True)


def _is_python(metadata: object) -> bool:
    """Tell whether the kernel of a notebook runs Python, as one does of which nothing is said."""
    data = metadata if isinstance(metadata, dict) else {}
    kernel, language = data.get("kernelspec"), data.get("language_info")
    named = [kernel.get("language")] if isinstance(kernel, dict) else []
    named += [language.get("name")] if isinstance(language, dict) else []
    return all("python" in name.lower() for name in named if isinstance(name, str) and name)


def _is_python_cell(cell: dict[str, Any]) -> bool:
    """Tell whether a cell is none of another language: nbformat 3 and some editors name one."""
    metadata = cell.get("metadata")
    editor = metadata.get("vscode") if isinstance(metadata, dict) else None
    named = editor.get("languageId") if isinstance(editor, dict) else None
    return (named or cell.get("language") or "python") == "python"


def _checked(code: list[_Cell]) -> list[_Cell]:
    """Refuse code that cannot be parsed for its size, or because it is no text."""
    size = 0
    for cell in code:
        try:
            size += len(cell.source.encode())
        except UnicodeEncodeError as error:
            line = cell.source.count("\n", 0, error.start) + 1
            raise SourceError("a character that is half of one", line, cell.number) from error
    if size > MAX_BYTES:
        raise SourceError(f"{size / 2**20:.1f} MiB of code; above 4 MiB it is not parsed")
    return code


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
