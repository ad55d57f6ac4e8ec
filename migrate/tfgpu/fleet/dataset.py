"""A dataset: a folder with one file for each repository, and the tables that all of them make.

A part is written at once, by the process that has its repository: whatever ends a run, what is
there is whole, and several processes can write into one folder. The tables are made from the parts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from tfgpu import __version__
from tfgpu.dataclass import dataclass, field
from tfgpu.fleet.rows import FAILED, STATES, TABLES, Record, Tables
from tfgpu.report.output import replaced

# Goes up when a column goes away, or means something else.
FORMAT = 1
_PARTS = "parts"


class DatasetError(Exception):
    """A folder is no dataset, or cannot be written; the text says why."""


@dataclass(slots=True)
class Dataset:
    """The dataset in a folder; `unreadable` are parts of another format, or damaged, when read."""

    folder: Path
    unreadable: set[Path] = field(default_factory=set)

    @property
    def is_there(self) -> bool:
        """Whether the folder has the form of a dataset."""
        return (self.folder / _PARTS).is_dir()

    def create(self) -> None:
        """Make the folder, if it is not there.

        Raises:
            DatasetError: there is something else.
        """
        try:
            if not self.is_there and self.folder.exists() and any(self.folder.iterdir()):
                raise DatasetError(f"{self.folder} is no dataset, and not empty: name a new folder")
            if self.folder.is_symlink() and not self.folder.exists():
                raise DatasetError(f"{self.folder} is a link to a folder that is not there")
            (self.folder / _PARTS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DatasetError(f"{self.folder}: {error.strerror or error}") from error

    def known(self, name: str, options: str) -> str:
        """Return the commit that a repository was audited at, with these options, by this tfgpu.

        It is empty where there is no such row, or where more than the commit decided.
        """
        tables = self._read(self._part(name))
        if tables is None:
            return ""
        (row,) = tables["repositories"]
        same = row["tfgpu"] == __version__ and row["options"] == options and row["clean"]
        return str(row["commit"]) if same and row["state"] != FAILED else ""

    def put(self, tables: Tables) -> None:
        """Write the rows of a repository, in place of earlier ones.

        Raises:
            DatasetError: they cannot be written.
        """
        (row,) = tables["repositories"]
        lines: list[object] = [{"format": FORMAT}]
        lines += ([name, record] for name, records in tables.items() for record in records)
        path = self._part(str(row["repository"]))
        try:
            with replaced(str(path)) as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)
        except OSError as error:
            raise DatasetError(f"{path}: {error.strerror or error}") from error

    def repositories(self) -> Iterator[Tables]:
        """Yield the rows of every repository that can be read, by name of its part."""
        for path in sorted((self.folder / _PARTS).glob("*.jsonl")):
            tables = self._read(path)
            if tables is not None:
                yield tables

    def write_tables(self, repositories: Iterable[Tables], parquet: bool) -> None:
        """Write the tables of repositories as JSON lines, and as Parquet.

        Raises:
            DatasetError: they cannot be written.
        """
        try:
            with ExitStack() as stack:
                kinds: list[_Tables] = [_JsonLines(self.folder, stack)]
                if parquet:
                    from tfgpu.fleet.parquet import Parquet  # noqa: PLC0415 - an extra

                    kinds.append(Parquet(self.folder, stack))
                for tables in repositories:
                    for kind in kinds:
                        kind.add(tables)
        except OSError as error:
            raise DatasetError(f"{self.folder}: {error.strerror or error}") from error

    def _part(self, name: str) -> Path:
        # As rows have it: the name of a folder may be no Unicode.
        data = name.encode("utf-8", "backslashreplace")
        return self.folder / _PARTS / f"{hashlib.sha256(data).hexdigest()[:32]}.jsonl"

    def _read(self, path: Path) -> Tables | None:
        try:
            with path.open(encoding="utf-8") as file:
                first, *lines = map(json.loads, file)
            if first != {"format": FORMAT}:
                raise ValueError(first)
            tables: Tables = {name: [] for name in TABLES}
            for name, record in lines:
                tables[name].append(_checked(name, record))
            (_,) = tables["repositories"]
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            self.unreadable.add(path)
            return None
        self.unreadable.discard(path)
        return tables


def _checked(name: str, record: Record) -> Record:
    """Return a row that has the columns of its table, each with a value of its type.

    Raises:
        ValueError: it has others.
    """
    columns = TABLES[name]
    if record.keys() != columns.keys() or any(
        type(record[column]) is not kind for column, kind in columns.items()
    ):
        raise ValueError(name)
    if name == "repositories" and record["state"] not in STATES:
        raise ValueError(record["state"])
    return record


class _Tables(Protocol):
    """Tables that are written, all rows of a repository at a time."""

    def add(self, tables: Tables) -> None:
        """Add the rows of a repository."""


class _JsonLines:
    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._files = {
            name: stack.enter_context(replaced(str(folder / f"{name}.jsonl"))) for name in TABLES
        }

    def add(self, tables: Tables) -> None:
        for name, file in self._files.items():
            file.writelines(json.dumps(record) + "\n" for record in tables[name])
