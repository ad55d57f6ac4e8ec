"""Migrates random programs, and runs them before and after on simulated GPUs.

    python -m benchmarks.differential --count 1000 --start 0
    python -m benchmarks.differential --reduce 17

Prints what differs, seed by seed, and the totals as a table. `--reduce` drops files, definitions
and statements of one program while it still differs, and prints what is left.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.differential.generate import program
from tests.differential.reduce import reduced
from tests.differential.runner import (
    DIFFERENT,
    NOT_COMPARABLE,
    SAME,
    UNCHANGED,
    MigrationFailedError,
    Report,
    Runner,
)

_FAILED = "migration failed"
_VARIES = "differs from itself"
_OUTCOMES = (SAME, DIFFERENT, _VARIES, NOT_COMPARABLE, UNCHANGED, _FAILED)
# A program that differs runs so often without a migration: a child may hang by chance.
_RERUNS = 5


@dataclass(slots=True)
class Totals:
    """What became of the programs of some seeds.

    `entries` counts runs by outcome, `reasons` why some are no judge, `raised` those that end with
    an exception before the migration already.
    """

    programs: Counter[str] = field(default_factory=Counter)
    entries: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    converted: int = 0
    converting: int = 0
    raised: int = 0

    def add(self, report: Report, varies: bool) -> None:
        """Count a program; `varies` tells that it differs without a migration, too."""
        self.programs[_VARIES if varies else report.outcome] += 1
        self.converted += len(report.converted)
        self.converting += bool(report.converted)
        self.kept.update(str(one.kept_by) for one in report.kept)
        for ran in report.ran:
            self.entries[_VARIES if varies and ran.outcome == DIFFERENT else ran.outcome] += 1
            self.raised += ran.before.failure is not None
            if ran.reason:
                self.reasons[ran.reason.partition(":")[0][:100]] += 1

    def update(self, other: Totals) -> None:
        """Count what another has counted."""
        for name in ("programs", "entries", "kept", "reasons"):
            getattr(self, name).update(getattr(other, name))
        self.converted += other.converted
        self.converting += other.converting
        self.raised += other.raised

    def lines(self) -> Iterator[str]:
        """Yield tables."""
        count = sum(self.programs.values())
        yield f"| of {count} programs | programs | runs |\n|---|--:|--:|"
        for outcome in _OUTCOMES:
            yield f"| {outcome} | {self.programs[outcome]} | {self.entries[outcome]} |"
        yield (
            f"\n{self.converting} programs with a converted config; {self.converted} configs "
            f"converted, {sum(self.kept.values())} kept; {self.raised} runs raise before"
        )
        yield "\n| kept by | configs |\n|---|--:|"
        yield from (f"| {code} | {times} |" for code, times in self.kept.most_common())
        yield from (f"not comparable: {why}: {times}" for why, times in self.reasons.most_common())


def _words(report: Report) -> str:
    """Return the first difference, numbers of programs and addresses left out."""
    return re.sub(r"0x[0-9a-f]+", "", report.differences[0])[:200]


def _seeds(seeds: Sequence[int]) -> Totals:
    totals = Totals()
    with tempfile.TemporaryDirectory() as work, Runner(Path(work)) as runner:
        for seed in seeds:
            try:
                report = runner.compare(program(seed))
            except MigrationFailedError as error:
                totals.programs[_FAILED] += 1
                print(f"{seed}: {_FAILED}: {error}", flush=True)
                continue
            varies = bool(report.differences) and any(
                runner.compare(report.program, rerun=True).differences for _ in range(_RERUNS)
            )
            totals.add(report, varies)
            if report.differences:
                by_chance = f"{_VARIES}: " if varies else ""
                print(f"{seed}: {by_chance}{_words(report)}", flush=True)
    return totals


def _reduce(seed: int) -> None:
    with tempfile.TemporaryDirectory() as work, Runner(Path(work)) as runner:
        print(runner.compare(reduced(program(seed), runner)))


def main() -> None:
    """Compare the programs of some seeds, or reduce one."""
    parser = argparse.ArgumentParser(description="random programs, before and after migration")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--reduce", type=int, metavar="SEED")
    options = parser.parse_args()
    if options.reduce is not None:
        _reduce(options.reduce)
        return
    started = time.perf_counter()
    seeds = range(options.start, options.start + options.count)
    totals = Totals()
    if options.jobs == 1:
        totals.update(_seeds(seeds))
    else:
        with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
            for part in pool.imap(_seeds, [seeds[n :: options.jobs] for n in range(options.jobs)]):
                totals.update(part)
    print(*totals.lines(), f"{time.perf_counter() - started:.0f} s", sep="\n")


if __name__ == "__main__":
    main()
