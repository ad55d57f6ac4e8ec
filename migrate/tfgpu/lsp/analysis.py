"""Findings of open files: their texts in the editor replace those on disk.

The program is the unit, as for the commands: all files of the project are read.
"""

from __future__ import annotations

import io
import json
import os
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tfgpu.config.find import Configurations
from tfgpu.dataclass import dataclass, field
from tfgpu.files.discover import Unreadable, discover
from tfgpu.files.files import instead
from tfgpu.files.kinds import EVERY, is_wanted
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.program.projects import marked_root
from tfgpu.report.edits import Edit, edits_between
from tfgpu.report.folded import Group, Told, fold
from tfgpu.results import Finding, Result
from tfgpu.run import run

# What an editor takes for the end of a line, and Python's parser does not always.
_LONE_RETURN = re.compile(r"\r(?!\n)")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of an open notebook, and the language that its editor takes it for."""

    text: str
    language: str


# What is open in an editor: the text of a file, or all cells of a notebook.
Open = str | tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class About:
    """A finding of an open file, and what belongs to it: settings, sessions, more causes.

    `keeps` are the places of configs that stay for its sake.
    """

    finding: Finding
    parts: tuple[Told, ...]
    keeps: tuple[str, ...]


@dataclass(slots=True)
class Report:
    """What there is to say about an open file; `edits` are its migration, if that is safe alone.

    They are by the cells of a notebook, from 1; a plain file is 0.
    """

    reason: str | None = None
    line: int = 0
    cell: int = 0
    abouts: list[About] = field(default_factory=list)
    edits: dict[int, list[Edit]] = field(default_factory=dict)


def analyse(files: Mapping[str, Open], folders: Sequence[str]) -> dict[str, Report]:
    """Return a report for each open file that tfgpu would read.

    `files` are those that are open, by their real paths, `folders` are those of the editor.

    Raises:
        RuleError: a configuration is wrong.
    """
    named = list(dict.fromkeys(_named(path, folders) for path in files))
    data = {path: _encoded(text) for path, text in files.items()}
    options = Options()
    config = Configurations(options)
    job = Job(options, rewrite=False, kinds=EVERY, edits=True, config=config)
    found: list[str | Unreadable] = [
        item
        for item in discover(named, job.kinds, config.excludes)
        if not isinstance(item, Unreadable) or item.path not in files
    ]
    # What was never saved, or is not there any more, is open all the same.
    found += [
        path
        for path in files
        if not os.path.lexists(path) and is_wanted(path, job.kinds) and not config.leaves_out(path)
    ]
    with instead(data):
        results = list(run(named, job, 1, files=found))
    at = {os.path.realpath(result.path): result for result in results}
    groups = list(_flat(fold(results)))
    return {
        path: _report(at[path], text, [one for one in groups if one.path == at[path].path])
        for path, text in files.items()
        if path in at
    }


def _named(path: str, folders: Sequence[str]) -> str:
    """Return what is read for a file: its project, or the folder of the editor, or itself."""
    root = marked_root(os.path.dirname(path))  # noqa: PTH120
    around = [folder for folder in folders if path.startswith(folder.rstrip(os.sep) + os.sep)]
    return root or max(around, key=len, default=path)


def _encoded(text: Open) -> bytes:
    """Return the bytes that an editor would write: in the encoding that the file declares."""
    if not isinstance(text, str):
        return _notebook(text)
    data = text.encode("utf-8", "surrogatepass")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return text.encode(encoding)
    except (SyntaxError, UnicodeError, LookupError):
        return data


def _notebook(cells: Iterable[Cell]) -> bytes:
    """Return the JSON of a notebook."""
    made = [
        {
            "cell_type": "code" if cell.language else "markdown",
            "metadata": {"vscode": {"languageId": cell.language}},
            "source": cell.text,
        }
        for cell in cells
    ]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def _flat(groups: Sequence[Group]) -> Iterator[Group]:
    for group in groups:
        yield group
        yield from _flat(group.again)
        yield from _flat(group.keeps)


def _report(result: Result, text: Open, groups: Sequence[Group]) -> Report:
    found = Report(result.reason, result.line, result.cell)
    found.abouts = [
        About(
            group.head,
            tuple(group.parts),
            tuple(config for config in group.configs if config != group.head.config),
        )
        for group in groups
    ]
    if result.reason is None and result.new_text is not None and result.source is not None:
        before = _parts(text, result.source.shown(result.source.text))
        after = _parts(text, result.source.shown(result.new_text))
        if before == _texts(text) and not any(map(_LONE_RETURN.search, before.values())):
            found.edits = {
                cell: edits
                for cell, old in before.items()
                if (edits := edits_between(old, after[cell]))
            }
    return found


def _texts(text: Open) -> dict[int, str]:
    """Return the texts of an open file by cell."""
    if isinstance(text, str):
        return {0: text}
    return {number: cell.text for number, cell in enumerate(text, 1)}


def _parts(text: Open, written: str) -> dict[int, str]:
    """Return what a file says as the texts of its cells."""
    if isinstance(text, str):
        return {0: written}
    cells = json.loads(written)["cells"]
    return {number: cell["source"] for number, cell in enumerate(cells, 1)}
