"""`tfgpu migrate --verify`: keep only the changes that were shown to change nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import click

from tfgpu.cli.common import say
from tfgpu.dataclass import dataclass, field
from tfgpu.options import Options
from tfgpu.report.verdict_text import verdict_lines
from tfgpu.results import Caller, Result
from tfgpu.verify.assumptions import FAILED, Assumption
from tfgpu.verify.programs import Prepared, imports_of, migration, programs_among, users_of
from tfgpu.verify.verdict import EXIT_CODES, Outcome, Verdict, gravest
from tfgpu.verify.verification import CANNOT_RUN, Settings, verify

_Key = tuple[str, str, str]


@dataclass(slots=True)
class Proof:
    """Runs what a migration changes, before and after.

    `program` is the program that uses all changed files; without one, each changed file is run that
    no other one imports, with what it imports. `again` migrates once more, without what rests on
    assumptions that a run has refuted.
    """

    program: Path | None
    settings: Settings
    again: Callable[[frozenset[_Key]], Iterable[Result]]
    _outcomes: list[Outcome] = field(default_factory=list)

    def keep_proven(self, results: Iterable[Result]) -> Iterator[Result]:
        """Yield all results, without the changes of those that no run proved.

        Raises:
            click.UsageError: nothing can be run here.
        """
        found = list(results)
        if self.program is not None:
            _use_some(self.program, found)
            yield from self._proven([self.program], found)
            return
        changed = {
            Path(result.path).resolve(): result for result in found if result.new is not None
        }
        proven: dict[str, Result] = {}
        for scripts, files in programs_among(changed):
            own = [changed[path] for path in files]
            named = [Path(changed[path].path) for path in scripts]
            proven.update({one.path: one for one in self._proven(named, own)})
            if self._outcomes and self._outcomes[-1] is Outcome.INCONCLUSIVE:
                _name_programs(named, [Path(one.path) for one in found if one.reason is None])
        for result in found:
            if result.path not in proven:
                _leave(result, "it was not run")
            yield proven.get(result.path, result)

    def _proven(self, scripts: Sequence[Path], results: Sequence[Result]) -> Sequence[Result]:
        """Return results without what rests on an assumption that failed.

        What remains is taken back unless all scripts, which share it, match. With several of them,
        each is run with the files that it imports.
        """
        refuted: frozenset[_Key] = frozenset()
        paths = {result.path for result in results}
        while changed := [result for result in results if result.new is not None]:
            outcome, failed = self._outcome(scripts, changed, refuted)
            if outcome is Outcome.MATCH or failed <= refuted:
                self._outcomes.append(outcome)
                if outcome is not Outcome.MATCH:
                    for result in changed:
                        _leave(result, outcome.value)
                break
            say("once more, without what rests on an assumption that failed", err=True)
            refuted |= failed
            results = [result for result in self.again(refuted) if result.path in paths]
        return results

    def _outcome(
        self, scripts: Sequence[Path], changed: Sequence[Result], refuted: frozenset[_Key]
    ) -> tuple[Outcome, frozenset[_Key]]:
        """Return what all scripts come to; the first that does not match tells it."""
        for script in scripts:
            own = [one for one in changed if Path(one.path).resolve() in imports_of(script)]
            verdict, failed = self._verdict(script, own if len(scripts) > 1 else changed)
            if verdict.outcome is not Outcome.MATCH or not failed <= refuted:
                return verdict.outcome, failed
        return Outcome.MATCH, frozenset()

    def _verdict(self, script: Path, changed: Sequence[Result]) -> tuple[Verdict, frozenset[_Key]]:
        """Return what the runs of a program show, and the assumptions that failed in them."""
        taken = [item for result in changed for item in result.assumed]
        assumed = [
            Assumption(
                str(number),
                item.kind,
                absolute(item.place),
                item.text,
                absolute(item.until),
                callers=_rows(item.callers),
                field=item.field,
                within=item.within,
                expression=item.expression,
                sessions=_rows(item.sessions),
                in_front=item.in_front,
            )
            for number, item in enumerate(taken)
        ]

        def prepare() -> tuple[Prepared, Prepared]:
            before, after = migration(script, Options(), changed)
            return replace(before, assumptions=assumed), after

        try:
            verdict = verify(prepare, self.settings)
        except CANNOT_RUN as error:
            raise click.UsageError(str(error)) from None
        except Exception as error:  # of tfgpu: nothing is proven, nothing is written
            raise click.UsageError(f"the verification failed: {error!r}") from error
        for line in verdict_lines(verdict):
            say(line, err=True)
        failed = (
            taken[int(one.assumption.id)]
            for one in verdict.before.assumptions
            if one.status == FAILED
        )
        return verdict, frozenset((item.kind, item.place, item.until) for item in failed)

    @property
    def exit_code(self) -> int:
        """0 where every change was proven, else that of the gravest outcome."""
        return EXIT_CODES[gravest(self._outcomes)] if self._outcomes else 0


def _use_some(program: Path, results: Sequence[Result]) -> None:
    """Refuse a program that has nothing of what is changed: it would show nothing of that."""
    changed = {Path(result.path).resolve() for result in results if result.new is not None}
    if changed and not changed & imports_of(program):
        raise click.UsageError(f"--program: {program} imports none of the files that would change")


def _name_programs(scripts: Sequence[Path], files: Sequence[Path]) -> None:
    """Say which program runs a file that was run by itself, and showed nothing."""
    for script in scripts:
        for program in users_of(script, files)[:1]:
            say(f"{script} is imported by {program}: --program {program} runs that", err=True)


def absolute(place: str) -> str:
    """Return "path:line" with the whole path; an empty text as it is."""
    path, _, line = place.rpartition(":")
    return f"{Path(path).resolve()}:{line}" if place else ""


def _rows(calls: Sequence[Caller]) -> tuple[Mapping[str, Any], ...]:
    """Return calls as the recorder takes them, with whole paths."""
    return tuple({**asdict(one), "place": absolute(one.place)} for one in calls)


def _leave(result: Result, reason: str) -> None:
    """Take the change of a file back."""
    if result.changes:
        result.new_text, result.changes = None, False
        say(f"{result.path}: left as it was: {reason}", err=True)
