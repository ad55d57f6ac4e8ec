"""The further legs that compute the numbers of two programs on the CPU.

They have the own set-up. Where they differ, the first program is run once more: numbers that do
not come out alike of one program say nothing about another one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tfgpu.verify.compare.numbers import SUBJECT, compare_numbers
from tfgpu.verify.legs import Leg
from tfgpu.verify.on_gpus import Observed, Pair, run_each
from tfgpu.verify.verdict import Aspect, Comparison, Entry, Outcome

_DIFFERS = (Outcome.MISMATCH, Outcome.INCONCLUSIVE)


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
    entry = compare_numbers(found.before, found.after)
    if entry.outcome in _DIFFERS:
        again = run_each(pair.scenario, pair.legs[:1], work, forks=False, title=SUBJECT)[0]
        if compare_numbers(found.before, again).outcome in _DIFFERS:
            return _left_out("those of the program before differ from run to run")
        if found.after.migrated:
            return replace(entry, outcome=Outcome.INCONCLUSIVE)
    return entry


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
