"""The lines that a process of a leg wrote into its record, by their kind."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tfgpu.verify.lists import grouped

Kinds = Mapping[str, Sequence[dict[str, Any]]]
"""The lines of a record by their kind."""


def kinds_of(path: Path) -> Kinds:
    """Return what a record holds, nothing where there is no such file."""
    return grouped(_lines(path), lambda line: str(line["kind"]))


def last(kinds: Kinds, kind: str) -> dict[str, Any]:
    """Return the last line of a kind, nothing where there is none."""
    return kinds[kind][-1] if kind in kinds else {}


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a record; the last one may have been cut off with its process."""
    if path.is_file():
        for line in path.read_text("utf-8").splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                return
