"""What there is to say about open files: their texts in the editor stand for those on disk.

The program is the unit, as for the commands: all files of the project are read.
"""

from __future__ import annotations

import io
import os
import re
import tokenize
from collections.abc import Iterator, Mapping, Sequence

from tfgpu.config.find import Configurations
from tfgpu.dataclass import dataclass, field
from tfgpu.files.files import instead
from tfgpu.files.kinds import EVERY
from tfgpu.job import Job
from tfgpu.options import Options
from tfgpu.program.projects import marked_root
from tfgpu.report.edits import Edit, edits_between
from tfgpu.report.fold import Group, Told, fold
from tfgpu.results import Finding, Result
from tfgpu.run import run

# What an editor takes for the end of a line, and Python's parser does not always.
_LONE_RETURN = re.compile(r"\r(?!\n)")


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
    """What there is to say about an open file; `edits` are its migration, if that is safe alone."""

    reason: str | None = None
    line: int = 0
    abouts: list[About] = field(default_factory=list)
    edits: list[Edit] = field(default_factory=list)


def analyse(texts: Mapping[str, str], folders: Sequence[str]) -> dict[str, Report]:
    """Return a report for each open file that tfgpu would read.

    `texts` has the open files by their real paths, `folders` are those of the editor.

    Raises:
        RuleError: a configuration is wrong.
    """
    named = dict.fromkeys(_named(path, folders) for path in texts)
    data = {path: _encoded(text) for path, text in texts.items()}
    options = Options()
    config = Configurations(options)
    job = Job(options, rewrite=False, kinds=EVERY, edits=True, config=config)
    with instead(data):
        results = list(run(list(named), job, 1))
    at = {os.path.realpath(result.path): result for result in results}
    groups = list(_flat(fold(results)))
    return {
        path: _report(at[path], text, [one for one in groups if one.path == at[path].path])
        for path, text in texts.items()
        if path in at
    }


def _named(path: str, folders: Sequence[str]) -> str:
    """Return what is read for a file: its project, or the folder of the editor, or itself."""
    root = marked_root(os.path.dirname(path))  # noqa: PTH120
    around = [folder for folder in folders if path.startswith(folder.rstrip(os.sep) + os.sep)]
    return root or max(around, key=len, default=path)


def _encoded(text: str) -> bytes:
    """Return the bytes that an editor would write: in the encoding that the file declares."""
    data = text.encode("utf-8", "surrogatepass")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return text.encode(encoding)
    except (SyntaxError, UnicodeError, LookupError):
        return data


def _flat(groups: Sequence[Group]) -> Iterator[Group]:
    for group in groups:
        yield group
        yield from _flat(group.again)
        yield from _flat(group.keeps)


def _report(result: Result, text: str, groups: Sequence[Group]) -> Report:
    found = Report(result.reason, result.line)
    found.abouts = [
        About(
            group.head,
            tuple(group.parts),
            tuple(config for config in group.configs if config != group.head.config),
        )
        for group in groups
    ]
    if result.reason is None and result.new_text is not None and result.source is not None:
        after = result.source.shown(result.new_text)
        before = result.source.shown(result.source.text)
        if before == text and not _LONE_RETURN.search(text):
            found.edits = edits_between(before, after)
    return found
