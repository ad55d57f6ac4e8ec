"""What real cards logged (`lines.csv`), and how near the simulated ones come to it."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tfgpu.verify.memory.limits import MIB, context_of, default_limit, fraction_limit, free_of_limit
from tfgpu.verify.memory.releases import Release, find_release
from tfgpu.verify.simgpu.cards import Card, find_card

_FILE = Path(__file__).with_name("lines.csv")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log; sizes in bytes, None where it does not print them.

    `use` is "fit" or "check" where the context's size was fitted on it, or checked; else
    `left_out` says why it cannot be compared with an otherwise unused card on Linux.
    """

    card: str
    compute_capability: str
    platform: str
    tensorflow: str
    known_by: str
    release: Release | None
    setting: str
    free_printed: int | None
    limit_mib: int
    limit_bytes: int | None
    date: str
    source: str
    note: str
    use: str
    left_out: str

    @property
    def limit(self) -> int:
        """The memory that TensorFlow took; a log that prints MB drops what is below."""
        return self.limit_mib * MIB + MIB // 2 if self.limit_bytes is None else self.limit_bytes

    @property
    def simulated(self) -> Card | None:
        """The simulated card."""
        return find_card(self.card)

    @property
    def fraction(self) -> float | None:
        """The fraction of the total that was set."""
        key, _, value = self.setting.partition("=")
        return float(value) if key == "fraction" else None

    @property
    def free(self) -> int | None:
        """The free memory that gives the bytes of the line, where it has bytes and no setting."""
        if self.limit_bytes is None or self.release is None or self.setting != "none":
            return None
        return free_of_limit(self.limit_bytes, self.release.version, self.compute_capability)

    def given_free(self) -> int | None:
        """Return the memory that TensorFlow takes by its rule where the log prints what is free.

        The printed free memory is rounded to 0.01 GiB, and the context grows before it is taken.
        """
        if self.free_printed is None or self.release is None or self.setting != "none":
            return None
        free = self.free_printed - context_of(self.release.cuda).growth * 1024
        return default_limit(free, self.release.version, self.compute_capability)

    def by_card(self) -> int | None:
        """Return the memory that TensorFlow takes of the simulated card that nobody else uses."""
        card = self.simulated
        if card is None or self.release is None:
            return None
        total = int(card.total_mib * MIB)
        if self.setting.startswith("memory_limit="):
            return int(self.setting.removeprefix("memory_limit=").split()[0]) * MIB
        if self.fraction is not None:
            return fraction_limit(total, self.fraction)
        free = total - context_of(self.release.cuda).size(
            card.compute_capability, card.multiprocessors
        )
        return default_limit(free, self.release.version, card.compute_capability)


@cache
def lines() -> Sequence[Line]:
    """Return all lines, in the order of the file."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        return tuple(_line(row) for row in csv.DictReader(file))


def line_of(values: Sequence[str]) -> Line:
    """Return the line with these values, in the order of the columns of the file."""
    return _line(dict(zip(columns(), values, strict=True)))


@cache
def columns() -> tuple[str, ...]:
    """Return the names of the columns of the file."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        return tuple(next(csv.reader(file)))


def _line(row: dict[str, str]) -> Line:
    limit = int(row["limit_bytes"]) if row["limit_bytes"] else None
    return Line(
        row["card"],
        row["cc"],
        row["platform"],
        row["tf_version"],
        row["version_known_by"],
        find_release(row["release"]) if row["release"] else None,
        row["setting"],
        int(float(row["free_gib_printed"]) * 1024 * MIB) if row["free_gib_printed"] else None,
        int(row["limit_mb"]) if row["limit_mb"] else (limit or 0) // MIB,
        limit,
        row["date"],
        row["source"],
        row["note"],
        row["use"],
        row["left_out"],
    )
