"""The code cells of a notebook as a script that can be run, in their order."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from tfgpu.files.kinds import Kind, kind_of
from tfgpu.files.notebook import read_notebook

_ENVIRONMENT = re.compile(r"\s*%(?:set_)?env\s+(\w+)(?:\s*=\s*|\s+)(.*?)\s*$")
_PREPARES = re.compile(
    r"[!%]\s*(?:sudo\s+)?(?:python[\d.]* -m )?(?:pip[\d.]*|apt|apt-get|conda|mamba)\s"
    r"|%(?:matplotlib|pylab|tensorflow_version|load_ext|reload_ext|autoreload|config|pip|conda)\b"
    r"|%(?:who|whos|pwd|history|time)?$|\?|.*\?$"
)
_TEXT = re.compile(r"\s*\"\"\"\w+ \d+\"\"\"\s*")
_FOLDER = re.compile(r"\s*%cd\s+(?:-q\s+)?(\S+)\s*$")


_Shown = TypeVar("_Shown")


def is_notebook(path: Path) -> bool:
    """Tell whether a file is a notebook."""
    return kind_of(path.name) is Kind.NOTEBOOK


def runnable(data: bytes) -> tuple[str, list[tuple[int, str]]]:
    """Return the cells of a notebook as Python, and the lines of IPython's that are left out.

    Lines keep their numbers in the text that tfgpu analyses; those that are left out come with
    theirs. `%env` and `%cd` do what they say.

    Raises:
        SourceError: it is no notebook, or one of its cells is no Python.
    """
    notebook = read_notebook(data)
    if notebook.broken is not None:
        raise notebook.broken
    lines = notebook.text.split("\n")
    left_out = []
    for magic in notebook.magics:
        at = notebook.cells.starts[notebook.cells.numbers.index(magic.cell)] + magic.line - 2
        code = _as_python(magic.text)
        if not code:
            left_out.append((at + 1, magic.text.strip()))
            # The text in its place has a number, which those before it decide.
            code = repr(magic.text.strip()) if _TEXT.fullmatch(lines[at]) else ""
        if code:
            indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
            lines[at] = indent + code
    return "\n".join(lines), left_out


def acts(magic: str) -> bool:
    """Tell whether a line of IPython's may do what the program is there for.

    What installs packages, shows help or plots, or chooses the TensorFlow of Colab does not: a run
    has the interpreter that it is given.
    """
    return not _PREPARES.match(magic)


def in_cells(shown: _Shown, name: str, data: bytes) -> _Shown:
    """Return what a run of a notebook showed, with the lines of its code named by their cells.

    `nb.ipynb:20` is a line of all cells, joined; `nb.ipynb:cell 4:2` is where people find it.
    """
    cells = read_notebook(data).cells
    line = re.compile(rf"(?<![\w/]){re.escape(name)}:(\d+)(?!\d)")

    def named(found: re.Match[str]) -> str:
        cell, inside = cells.place(int(found[1]))
        return f"{name}:cell {cell}:{inside}"

    def renamed(value: Any) -> Any:
        if isinstance(value, str):
            return line.sub(named, value)
        if is_dataclass(value) and not isinstance(value, type):
            made = {one.name: renamed(getattr(value, one.name)) for one in fields(value)}
            return replace(value, **made)
        if isinstance(value, list | tuple) and type(value) in (list, tuple):
            return type(value)(map(renamed, value))
        if isinstance(value, dict):
            return {key: renamed(one) for key, one in value.items()}
        return value

    return cast("_Shown", renamed(shown))


def _as_python(magic: str) -> str:
    if found := _ENVIRONMENT.match(magic):
        return f"__import__('os').environ[{found[1]!r}] = {found[2]!r}"
    if found := _FOLDER.match(magic):
        return f"__import__('os').chdir({found[1]!r})"
    return ""
