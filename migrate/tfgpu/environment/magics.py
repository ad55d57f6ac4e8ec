"""Reads the lines of IPython in a notebook: `%env A=1`, `%set_env A 1`, `!A=1 python x.py`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.tree import Tree
from tfgpu.dataclass import replace
from tfgpu.environment.command import default_of
from tfgpu.environment.model import LIKE_NAME, ConfigPiece, Item, Setting, Span, Trouble, Way
from tfgpu.environment.piece import lines_of
from tfgpu.environment.report import as_finding, tell
from tfgpu.environment.shell import read_shell
from tfgpu.files.cells import Cells
from tfgpu.files.pattern import expression
from tfgpu.flow.variables import Write
from tfgpu.results import Finding
from tfgpu.rulebook.book import Rulebook
from tfgpu.texts.looks import LOOKS_LIKE

_ENV = expression(
    rf"[ \t]*%(?:set_)?env[ \t]+({LIKE_NAME.pattern})(?:[ \t]*=[ \t]*|[ \t]+)(\S.*?)?[ \t]*"
)
_SHELL_LINE = expression(r"[ \t]*(?:\w+[ \t]*=[ \t]*)?(!!?|%sx[ \t]|%system[ \t])")
_SHELL_CELL = expression(r"%%(?:bash|sh|script[ \t]+(?:ba)?sh)\b[^\n]*\n")
_WRITTEN_CELL = expression(r"%%(?:writefile|file)\b(?:[ \t]+-a\b)?[ \t]*([^\n]*)\n")
# What stands for a line of IPython's that sets a variable, in the Python of a notebook.
_STANDS_FOR = expression(r"tfgpu_* \d+ (?P<line>%(?:set_)?env .*)")
# What IPython fills in.
_FILLED_IN = expression(r"\{[^{}]*\}|\$\w+")


def magic_findings(text: str, cell: int, line: int, book: Rulebook) -> list[Finding]:
    """Return the findings on a line of IPython, or several that are one, in a cell."""
    lines = [*[""] * (line - 1), *text.split("\n")]
    items = read_magic(text, line, book.variable_names)
    cells = Cells((1,), (cell,))
    return [replace(as_finding(told, lines), cell=cell) for told in tell(items, book, cells)]


def magic_writes(tree: Tree, names: frozenset[str]) -> Iterator[tuple[Write, Setting]]:
    """Yield the variables that a notebook sets by `%env`, where these lines stand in its code.

    The value of such a write is in no expression: it is `known`, or nothing is known of it.
    """
    for node in tree.nodes(ast.Constant) if tree.cells.starts else ():
        found = _STANDS_FOR.fullmatch(node.value) if isinstance(node.value, str) else None
        for item in read_magic(found["line"], node.lineno, names) if found is not None else ():
            if isinstance(item, Setting) and item.name in names:
                yield Write(item.name, node, node, "environ", item.value), item


def is_own_write(text: str) -> bool:
    """Tell whether a line of IPython sets a variable of the notebook's own process: `%env A=1`."""
    return _ENV.fullmatch(text.rstrip("\n")) is not None


def read_magic(text: str, line: int, names: frozenset[str]) -> list[Item]:
    """Return what one line of IPython, or a cell of shell, sets; `line` is its first line."""
    found = _ENV.fullmatch(text.rstrip("\n"))
    if found is not None:
        written = found[2] or ""
        value = None if _FILLED_IN.search(written) else written
        span = Span(line, 1, line, len(text.rstrip("\n")) + 1)
        default = default_of(written) if value is None else None
        return [Setting(found[1], value, written, span, Way.PROCESS, default, "notebook", line)]
    cell, shell = _SHELL_CELL.match(text), _SHELL_LINE.match(text)
    if cell is not None:
        piece = lines_of(text[cell.end() :], line + 1, f"cell {line}")
        return [_gone(item) for item in read_shell(replace(piece, ends=True), names)]
    if (written_cell := _WRITTEN_CELL.match(text)) and LOOKS_LIKE.search(text):
        body = lines_of(text[written_cell.end() :], line + 1)
        return [ConfigPiece(body, target=written_cell[1].strip())]
    if shell is None:
        return []
    piece = lines_of(" " * shell.end() + text[shell.end() :], line, f"line {line}")
    return [_gone(item) for item in read_shell(replace(piece, ends=True), names)]


def _gone(item: Item) -> Item:
    """Return what is lost with a shell as what it is in a notebook."""
    if isinstance(item, Trouble) and item.rule == "lost-with-shell":
        return replace(item, rule="shell-line")
    return item
