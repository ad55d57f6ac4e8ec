"""A baseline: findings that were there before, so that only new ones count.

An entry knows its finding by the fingerprint, which no moved line changes. The file is sorted, one
entry on each line, so that its changes can be read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from tfgpu.files.files import load
from tfgpu.files.pyfile import SourceError
from tfgpu.options import Options
from tfgpu.report.fingerprint import fingerprints
from tfgpu.results import Finding

_VERSION = 1
_KEYS = ("path", "code", "name", "fingerprint", "snippet")


class BaselineError(Exception):
    """A baseline cannot be read; the text says why."""


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One finding that was there: the path from the baseline's folder, rule, and source line."""

    path: str
    code: str
    name: str
    fingerprint: str
    snippet: str


class Baseline:
    """The entries of one file, and which of them were found again."""

    def __init__(self, file: Path, entries: Iterable[Entry] = ()) -> None:
        self.file = file
        self._folder = file.parent.resolve()
        self._entries: dict[str, dict[str, Entry]] = {}
        self._stale: dict[str, list[Entry]] = {}
        self._read: set[str] = set()
        for entry in entries:
            self._entries.setdefault(entry.path, {})[entry.fingerprint] = entry

    def new(self, path: str, findings: Sequence[Finding], options: Options) -> list[Finding]:
        """Return the findings of a file, all that were told, that the baseline does not have."""
        name = self._name(path)
        self._read.add(name)
        known = self._entries.get(name)
        if known is None:
            return list(findings)
        made = fingerprints(findings)
        gone = (entry for key, entry in known.items() if key not in made)
        self._stale[name] = list(filter(options.selects, gone))
        return [finding for finding, key in zip(findings, made, strict=True) if key not in known]

    def stale(self) -> list[Entry]:
        """Return the entries of findings that are gone, with those of files that are gone."""
        stale = chain.from_iterable(self._stale.values())
        return sorted([*stale, *self._of_gone_files()])

    def _of_gone_files(self) -> Iterable[Entry]:
        for path, entries in self._entries.items():
            if path not in self._read and not (self._folder / path).exists():
                yield from entries.values()

    def take(self, path: str, findings: Sequence[Finding]) -> None:
        """Make the findings of a file the entries that there are of it."""
        name = self._name(path)
        self._read.add(name)
        self._entries[name] = {
            key: Entry(name, item.code, item.name, key, " ".join(item.snippet.split()))
            for item, key in zip(findings, fingerprints(findings), strict=True)
        }

    def document(self) -> str:
        """Return the text of the file; without the entries of files that are gone."""
        gone = set(self._of_gone_files())
        entries = sorted(
            entry
            for of_file in self._entries.values()
            for entry in of_file.values()
            if entry not in gone
        )
        lines = [
            json.dumps({key: getattr(entry, key) for key in _KEYS}, ensure_ascii=False)
            for entry in entries
        ]
        rows = "".join(f"\n  {line}," for line in lines).removesuffix(",")
        end = "\n" if rows else ""
        return f'{{"version": {_VERSION}, "findings": [{rows}{end}]}}\n'

    def _name(self, path: str) -> str:
        return Path(os.path.relpath(Path(path).resolve(), self._folder)).as_posix()


def read_baseline(file: Path) -> Baseline:
    """Read a baseline.

    Raises:
        BaselineError: there is none, or it is none.
    """
    if not file.exists():
        raise BaselineError(f"{file}: no such file; `--write-baseline` makes one")
    try:
        data = json.loads(load(str(file)))
    except (SourceError, ValueError) as error:
        raise BaselineError(f"{file}: no baseline: {error}") from error
    except RecursionError:
        raise BaselineError(f"{file}: nested too deep") from None
    if not isinstance(data, dict) or data.get("version") != _VERSION:
        raise BaselineError(f"{file}: no baseline of version {_VERSION}")
    rows = data.get("findings")
    if not isinstance(rows, list) or not all(map(_is_entry, rows)):
        raise BaselineError(f"{file}: findings: a list of entries with {', '.join(_KEYS)}")
    return Baseline(file, [Entry(**row) for row in rows])


def _is_entry(row: object) -> bool:
    return (
        isinstance(row, dict)
        and row.keys() == set(_KEYS)
        and all(isinstance(value, str) for value in row.values())
    )
