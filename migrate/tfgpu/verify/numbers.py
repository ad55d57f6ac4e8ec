"""The further legs that compute the numbers of two programs on the CPU.

They have the own set-up. Where they differ, they are run once more with the same first numbers in
all variables of one shape: these may be made in another order, or too late to tell them apart. The
first program is run once more, too: numbers that do not come out alike of one program say nothing
about another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tfgpu.verify.compare.numbers import SUBJECT, compare_numbers, is_computed
from tfgpu.verify.legs import Leg
from tfgpu.verify.on_gpus import Observed, Pair, Runner, run_each
from tfgpu.verify.recorder.numbers import LATE
from tfgpu.verify.verdict import Aspect, Comparison, Entry, Outcome

_DIFFERS = (Outcome.MISMATCH, Outcome.INCONCLUSIVE)

_IN_ANOTHER_ORDER = "variables of one shape are made in another order, or one is in another's place"
_NOT_TOLD_APART = "variables of one shape that a function makes could not be told apart"


def with_numbers(own: Pair) -> Pair:
    """Return the pair of legs that compute numbers in the own set-up."""
    first, second = own.legs
    scenario = replace(own.scenario, name=SUBJECT, asked=False)
    return Pair(scenario, (_computing(first), _computing(second)))


def _computing(leg: Leg) -> Leg:
    program, around = leg
    return program, replace(around, numbers=True)


def judged(pair: Pair | None, observed: Sequence[Observed], work: Path) -> Entry:
    """Return what the numbers come to; the legs of the pair are the last ones, if they ran."""
    if pair is None:
        return _left_out("they are compared on simulated GPUs only, without --quick and --until")
    found = observed[-1]
    if found.scenario is not pair.scenario:
        return _left_out("the programs come to no step")
    legs = pair.legs
    entry = compare_numbers(found.before, found.after)
    apart = {found.before.apart, found.after.apart}
    if entry.outcome is not Outcome.MATCH and any(apart) and is_computed(found.before, found.after):
        legs = _alike(legs[0]), _alike(legs[1])
        before, after = run_each(pair.scenario, legs, Runner(work, forks=False), f"{SUBJECT}-alike")
        plain = compare_numbers(before, after)
        if plain.outcome is not Outcome.MATCH:
            found, entry = Observed(pair.scenario, before, after), plain
        elif LATE in apart:
            return replace(plain, reason=f"{plain.reason}; {_NOT_TOLD_APART}")
        else:
            legs = pair.legs
            entry = replace(entry, outcome=Outcome.INCONCLUSIVE, reason=_IN_ANOTHER_ORDER)
    if entry.outcome in _DIFFERS:
        # A new process: a fork would share the order of Python's sets with those that have run.
        again = run_each(pair.scenario, legs[:1], Runner(work, forks=False), SUBJECT)[0]
        if compare_numbers(found.before, again).outcome in _DIFFERS:
            return _left_out("those of the program before differ from run to run")
        if found.after.migrated:
            return replace(entry, outcome=Outcome.INCONCLUSIVE)
    return entry


def _alike(leg: Leg) -> Leg:
    program, around = leg
    return program, replace(around, alike=True)


def _left_out(reason: str) -> Entry:
    return Entry(SUBJECT, Outcome.IGNORED, "", "", reason)


def added(compared: Sequence[Comparison], entry: Entry) -> list[Comparison]:
    """Return comparisons with the numbers as a part of what the own set-up comes to."""
    own = compared[0]
    return [replace(own, aspects=list(_aspects(own.aspects, entry))), *compared[1:]]


def _aspects(aspects: Sequence[Aspect], entry: Entry) -> Iterator[Aspect]:
    for one in aspects:
        is_it = one.name == "result"
        yield replace(one, entries=[*one.entries, entry]) if is_it else one
