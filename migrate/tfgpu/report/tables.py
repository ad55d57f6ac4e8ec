"""The inventory as a table: CSV, one JSON document, or JSON line by line."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, fields

from tfgpu.place import place, printable
from tfgpu.report.json import VERSION
from tfgpu.report.writer import Write
from tfgpu.results import Result, Row

# What a formula starts with, unless it is a number.
_FORMULA = frozenset("=+-@")
_NUMBER = re.compile(r"[+-][\d.]+(?:e[+-]?\d+)?", re.IGNORECASE)
COLUMNS = ("path", *(field.name for field in fields(Row)))

Record = dict[str, str | int]


def records(result: Result) -> Iterator[Record]:
    """Yield the rows of a file; each column has one type in all of them."""
    for row in result.inventory:
        yield {"path": place(result.path), **asdict(row)}


class _Csv:
    def __init__(self, write: Write) -> None:
        self._write = write
        self._line(list(COLUMNS))

    def result(self, result: Result) -> None:
        for record in records(result):
            self._line([cell_text(record[column]) for column in COLUMNS])

    def end(self) -> None:
        pass

    def _line(self, cells: list[str]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(cells)
        self._write(text.getvalue())


def cell_text(value: str | int) -> str:
    """Return a value as a cell that no spreadsheet takes for a formula."""
    text = printable(str(value))
    if text[:1] not in _FORMULA or _NUMBER.fullmatch(text):
        return text
    return f"'{text}"


class _JsonLines:
    def __init__(self, write: Write) -> None:
        self._write = write

    def result(self, result: Result) -> None:
        for record in records(result):
            self._write(json.dumps(record) + "\n")

    def end(self) -> None:
        pass


class _Json:
    def __init__(self, write: Write) -> None:
        self._write = write
        self._records: list[Record] = []

    def result(self, result: Result) -> None:
        self._records += records(result)

    def end(self) -> None:
        document = {"version": VERSION, "settings": self._records}
        self._write(json.dumps(document, indent=2) + "\n")


Table = _Csv | _Json | _JsonLines
# The formats by name; each is made with a function that writes text.
TABLES: dict[str, Callable[[Write], Table]] = {"csv": _Csv, "json": _Json, "jsonl": _JsonLines}
