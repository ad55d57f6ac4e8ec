"""Writes comments that ignore all findings of a run into its files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from migrate.ignores.add import with_ignores
from migrate.process import Result
from migrate.source.files import write
from migrate.source.pyfile import SourceError


def ignore_all(results: Iterable[Result], reason: str) -> set[str]:
    """Write a comment for every finding in Python source; return the files that changed.

    A file that cannot be written is a result that failed.
    """
    return {result.path for result in results if _ignore(result, reason)}


def _ignore(result: Result, reason: str) -> bool:
    source = result.source
    if source is None or result.reason is not None or not result.findings:
        return False
    count = len(source.text.splitlines()) + 1
    lines = {source.cells.place(number): number for number in range(count, 0, -1)}
    findings = [
        replace(item, line=lines[item.cell, item.line])
        for item in result.findings
        if (item.cell, item.line) in lines
    ]
    try:
        text = with_ignores(source.text, findings, reason)
        if text == source.text:
            return False
        write(result.path, result.old, source.encode(text))
    except SourceError as error:
        result.reason, result.line = str(error), error.line
        return False
    return True
