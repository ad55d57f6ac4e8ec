"""Leaves out what differs in two runs of one program: names of files, numbers in graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from tfgpu.verify.observation import Observation
from tfgpu.verify.on_gpus import Observed

_Numbers = Mapping[str, Sequence[str]]


def settled(
    observed: Sequence[Observed], again: Callable[[], Observation]
) -> tuple[list[Observed], list[str]]:
    """Return what the legs showed, without what differs from run to run, and notes on that.

    Where the first legs do not show the same, `again` runs the program before once more.
    """
    own, found = observed[0], list(observed)
    alike = own.before.files == own.after.files and own.before.constants == own.after.constants
    if alike or own.before.ended not in ("end", "steps"):
        return found, []
    other = again()
    notes = []
    if other.files != own.before.files:
        notes.append(
            "names of the files that the program before writes differ from run to run: what was "
            "written was not compared"
        )
        found = [
            replace(one, before=_unnamed(one.before), after=_unnamed(one.after)) for one in found
        ]
    varying = dict(_varying(own.before.constants, other.constants))
    if varying:
        notes.append(
            f"{sum(varying.values())} numbers in graphs of the program before differ from run to "
            "run: as many of each side were not compared"
        )
        found = [_without(one, varying) for one in found]
    return found, notes


def _unnamed(leg: Observation) -> Observation:
    return replace(leg, files=(), saves=())


def _varying(one: _Numbers, other: _Numbers) -> Iterator[tuple[str, int]]:
    """Yield the graphs in which two runs of a program have other numbers, and how many."""
    for title in one.keys() & other.keys():
        mine, theirs = Counter(one[title]), Counter(other[title])
        if mine != theirs and mine.total() == theirs.total():
            yield title, (mine - theirs).total()


def _without(one: Observed, varying: Mapping[str, int]) -> Observed:
    """Return a pair of legs without numbers that only one has, so many of each graph at most."""
    before, after = dict(one.before.constants), dict(one.after.constants)
    for title, count in varying.items():
        mine, theirs = Counter(before.get(title, ())), Counter(after.get(title, ()))
        if max((mine - theirs).total(), (theirs - mine).total()) <= count:
            before[title] = after[title] = sorted((mine & theirs).elements())
    return replace(
        one,
        before=replace(one.before, constants=before),
        after=replace(one.after, constants=after),
    )
