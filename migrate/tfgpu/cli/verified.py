"""`tfgpu migrate --verify`: keep only the changes that were shown to change nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import click

from tfgpu.cli.common import say
from tfgpu.dataclass import dataclass, field
from tfgpu.files.kinds import Kind, kind_of
from tfgpu.options import Options
from tfgpu.process import Result
from tfgpu.report.verdict_text import verdict_lines
from tfgpu.verify.assumptions import Assumption
from tfgpu.verify.programs import Prepared, migration
from tfgpu.verify.verdict import EXIT_CODES, Outcome, gravest
from tfgpu.verify.verification import CANNOT_RUN, Settings, verify


@dataclass(slots=True)
class Proof:
    """Runs what a migration changes, before and after.

    `program` is the program that uses all changed files; without one, each changed file is run by
    itself.
    """

    program: Path | None
    settings: Settings
    _outcomes: list[Outcome] = field(default_factory=list)

    def keep_proven(self, results: Iterable[Result]) -> Iterator[Result]:
        """Yield all results, without the changes of those that no run proved.

        Raises:
            click.UsageError: nothing can be run here.
        """
        if self.program is None:
            for result in results:
                if kind_of(result.path) is Kind.NOTEBOOK:
                    _leave(result, "a notebook is not run")
                elif result.new is not None:
                    self._prove(Path(result.path), [result])
                yield result
            return
        found = list(results)
        changed = [result for result in found if result.new is not None]
        if changed:
            self._prove(self.program, changed)
        yield from found

    def _prove(self, script: Path, changed: Sequence[Result]) -> None:
        new = {Path(result.path): result.new for result in changed if result.new is not None}

        assumed = [
            Assumption(
                str(number),
                item.kind,
                absolute(item.place),
                item.text,
                absolute(item.until),
                callers=tuple(
                    {**asdict(one), "place": absolute(one.place)} for one in item.callers
                ),
            )
            for number, item in enumerate(item for result in changed for item in result.assumed)
        ]

        def prepare() -> tuple[Prepared, Prepared]:
            before, after = migration(script, Options(), new)
            return replace(before, assumptions=assumed), after

        try:
            verdict = verify(prepare, self.settings)
        except CANNOT_RUN as error:
            raise click.UsageError(str(error)) from None
        except Exception as error:  # of tfgpu: nothing is proven, nothing is written
            raise click.UsageError(f"the verification failed: {error!r}") from error
        self._outcomes.append(verdict.outcome)
        for line in verdict_lines(verdict):
            say(line, err=True)
        if verdict.outcome is not Outcome.MATCH:
            for result in changed:
                _leave(result, verdict.outcome.value)

    @property
    def exit_code(self) -> int:
        """0 where every change was proven, else that of the gravest outcome."""
        return EXIT_CODES[gravest(self._outcomes)] if self._outcomes else 0


def absolute(place: str) -> str:
    """Return "path:line" with the whole path; an empty text as it is."""
    path, _, line = place.rpartition(":")
    return f"{Path(path).resolve()}:{line}" if place else ""


def _leave(result: Result, reason: str) -> None:
    """Take the change of a file back."""
    if result.changes:
        result.new_text, result.changes = None, False
        say(f"{result.path}: left as it was: {reason}", err=True)
