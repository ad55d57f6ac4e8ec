"""Settings of the environment as rows of the inventory."""

from __future__ import annotations

from collections.abc import Iterator

from tfgpu.dataclass import replace
from tfgpu.environment.magics import is_own_write, read_magic
from tfgpu.environment.model import ConfigPiece, Item, Setting, Trouble
from tfgpu.environment.python import environment_items
from tfgpu.environment.read import read_items
from tfgpu.files.kinds import Kind
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import conditions
from tfgpu.inventory import Noted, guard_text
from tfgpu.results import Row
from tfgpu.rulebook.book import Rulebook


def file_rows(kind: Kind, text: str, book: Rulebook) -> list[Row]:
    """Return the settings of a file that is only audited, in order.

    Raises:
        SourceError: the file is not of its kind.
    """
    items = read_items(kind, text, book.variable_names)
    rows = (row for item in items for row in _rows(item, "", book))
    return sorted(rows, key=lambda row: (row.line, row.column))


def python_rows(analysis: Analysis, book: Rulebook) -> Iterator[Noted]:
    """Yield the settings of the environment in Python files, each with its node."""
    for node, item in environment_items(analysis, book):
        guard = guard_text(analysis.tree, node, conditions(node, analysis.tree))
        for row in _rows(item, guard, book):
            yield node, row


def magic_rows(text: str, cell: int, line: int, book: Rulebook) -> Iterator[Row]:
    """Yield what a line of IPython, or several that are one, sets in a cell.

    What sets a variable of the notebook itself has its row among those of the code.
    """
    for item in [] if is_own_write(text) else read_magic(text, line, book.variable_names):
        yield from (replace(row, cell=cell) for row in _rows(item, "", book))


def _rows(item: Item, guard: str, book: Rulebook) -> Iterator[Row]:
    """Yield the rows of an item: of a variable that counts, or the fields of a ConfigProto."""
    if isinstance(item, ConfigPiece):
        from tfgpu.environment.configs import config_rows  # noqa: PLC0415 - few have one

        yield from config_rows(item, guard, book)
    if isinstance(item, Trouble) and item.setting is not None:
        yield from _rows(item.setting, guard, book)
    if isinstance(item, Setting) and item.name in book.variables:
        yield Row(
            cell=0,
            line=item.span.line,
            column=item.span.column,
            kind="environment",
            setting=item.name,
            value=item.text,
            constant=item.value or "",
            guard=guard,
            sink=item.way.value,
            rule=book.variables[item.name].code,
            convertible="current",
            reason="",
        )
