"""The tables of a dataset as Parquet, with pyarrow."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tfgpu.fleet.rows import TABLES, Record, Tables

_TYPES = {
    str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(),
    list: pa.list_(pa.string()),
}  # fmt: skip
# Rows that are written together.
_GROUP = 50_000


class Parquet:
    """One file for each table, which is there when the stack ends."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._tables = [stack.enter_context(_Table(folder, name)) for name in TABLES]

    def add(self, tables: Tables) -> None:
        """Add the rows of a repository."""
        for table in self._tables:
            table.add(tables[table.name])


class _Table:
    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self._target = folder / f"{name}.parquet"
        self._temporary = folder / f".tfgpu-{name}-{os.getpid()}.parquet"
        self._schema = pa.schema([(key, _TYPES[kind]) for key, kind in TABLES[name].items()])
        self._rows: list[Record] = []

    def __enter__(self) -> _Table:
        self._writer = pq.ParquetWriter(self._temporary, self._schema)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self._flush()
            self._writer.close()
            if kind is None:
                self._temporary.replace(self._target)
        finally:
            self._temporary.unlink(missing_ok=True)

    def add(self, rows: list[Record]) -> None:
        self._rows += rows
        if len(self._rows) >= _GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
            self._rows = []
