"""Tries a verification on mutants of the migration of a program: which of them does it catch?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tfgpu.verify.gpus import Machine
from tfgpu.verify.observation import Observation
from tfgpu.verify.programs import Prepared
from tfgpu.verify.scenarios import scenarios
from tfgpu.verify.selftest_mutants import DROPPED, LATE, Mutant, mutants
from tfgpu.verify.verdict import EXIT_CODES, Outcome, Verdict, decisive
from tfgpu.verify.verification import Settings, verify_each


@dataclass(frozen=True, slots=True)
class Trial:
    """A mutant, and what the verification said of it.

    `same` says why it does what the migration does, "" where nothing shows that. `aspects` are
    those that differ, `reason` is the first thing that was said of them, `set_up` names where,
    among several.
    """

    mutant: Mutant
    same: str = ""
    outcome: Outcome = Outcome.MATCH
    aspects: tuple[str, ...] = ()
    reason: str = ""
    set_up: str = ""

    @classmethod
    def of(cls, mutant: Mutant, found: Verdict, migrated: Verdict) -> Trial:
        """Return a mutant with its verdict; `migrated` is that of the migration itself."""
        chosen_by = mutant.visible and mutant.fault in (DROPPED, LATE)
        is_match = found.outcome is Outcome.MATCH
        if is_match and chosen_by and all(map(_hides_nothing, _legs(migrated))):
            return cls(mutant, "no GPU that is here is hidden")
        differing = [one for one in found.aspects if one.outcome is Outcome.MISMATCH]
        reasons = (
            entry.reason
            for aspect in (differing or found.aspects)
            for entry in aspect.entries
            if entry.differs
        )
        names = tuple(one.name for one in differing)
        several = len(migrated.scenarios) > 1
        where = decisive(found.scenarios).scenario.name if several and differing else ""
        return cls(mutant, "", found.outcome, names, next(reasons, ""), where)

    @property
    def is_caught(self) -> bool:
        """Whether the verification found a difference."""
        return self.outcome is Outcome.MISMATCH


def unlike(machine: Machine) -> Machine:
    """Return as many simulated GPUs of different sizes; real ones, or different ones, as is."""
    if machine.simulated is None or _sizes(machine) > 1:
        return machine
    tried = (one.machine for one in scenarios(machine, [()]))
    return next((one for one in tried if _sizes(one) > 1), machine)


def try_mutants(
    before: Prepared, after: Prepared, verdict: Verdict, settings: Settings
) -> list[Trial]:
    """Return each mutant of a migration with what a verification says of it.

    `verdict` is the match of the migration itself in the same set-ups.

    Raises:
        What `verify` raises.
    """
    places = [one.source.rpartition(":") for one in verdict.after.sessions if one.source]
    sessions = list(dict.fromkeys((after.root / path, int(line)) for path, _, line in places))
    found = list(mutants(after, sessions))
    machines = [one.scenario.machine for one in verdict.scenarios if not one.is_silent]
    machines.append(settings.machine)
    same = {one: same_as(one, after, verdict, machines) for one in found}
    tried = [one for one in found if not same[one]]
    programs = [
        replace(after, changes={**after.changes, **one.changes}, statements=()) for one in tried
    ]
    verdicts = dict(zip(tried, verify_each(before, programs, settings), strict=True))
    return [
        Trial(one, same[one]) if same[one] else Trial.of(one, verdicts[one], verdict)
        for one in found
    ]


def exit_code(trials: list[Trial]) -> int:
    """Return 0 where all mutants that differ were caught, and there was one; else 3."""
    tried = [one for one in trials if not one.same]
    caught = bool(tried) and all(one.is_caught for one in tried)
    return EXIT_CODES[Outcome.MATCH if caught else Outcome.INCONCLUSIVE]


def _hides_nothing(leg: Observation) -> bool:
    """Tell whether all cards are devices of every session."""
    cards = {one.bus for one in leg.physical}
    return bool(leg.sessions) and all(
        cards == {device.bus for device in one.devices if device.bus} for one in leg.sessions
    )


def same_as(mutant: Mutant, after: Prepared, verdict: Verdict, machines: Sequence[Machine]) -> str:
    """Return why a mutant does what the migration does; "" where nothing shows that.

    `machines` are those of the set-ups.
    """
    place = f"{mutant.path.relative_to(after.root)}:{mutant.line}"
    if any(one == place or one.startswith(f"{place} ") for one in verdict.after.not_run):
        return "the statement does not run"
    if mutant.two_gpus and max(one.count for one in machines) < 2:
        return "there are no two GPUs"
    if mutant.unlike_gpus and max(map(_sizes, machines)) < 2:
        return "all GPUs are of the same size"
    return mutant.same


def _legs(verdict: Verdict) -> list[Observation]:
    """Return the runs of the migration in all set-ups that show something."""
    found = [one.after for one in verdict.scenarios if not one.is_silent]
    return found or [verdict.after]


def _sizes(machine: Machine) -> int:
    if machine.simulated is None:
        return len({gpu.total for gpu in machine.real})
    return len({gpu.total_mib for gpu in machine.simulated})
