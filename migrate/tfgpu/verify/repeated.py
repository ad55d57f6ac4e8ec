"""Leaves out what differs in two runs of one program: names of files, numbers in graphs.

Whatever else differs in them proves nothing, either: sizes of random data, for one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation
from tfgpu.verify.on_gpus import Observed
from tfgpu.verify.scenarios import Scenario
from tfgpu.verify.verdict import Aspect, Comparison, Entry, Outcome

# What a program sets does not differ by chance; nor does whether it takes memory in advance.
_SET = ("devices", "configuration")
_MODE = "mode"

_Key = tuple[str, str, str]
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


def without_chance(
    compared: Sequence[Comparison], again: Callable[[Scenario], Observation], simulated: bool
) -> list[Comparison]:
    """Return comparisons where what two runs of the program before differ in is inconclusive.

    Where the verdict would be a mismatch in what ran only, `again` runs that program once more.
    """
    wrong = next((one for one in compared if one.outcome is Outcome.MISMATCH), None)
    if wrong is None or any(
        aspect.name in _SET and aspect.outcome is Outcome.MISMATCH
        for one in compared
        for aspect in one.aspects
    ):
        return list(compared)
    aspects = compare(wrong.before, again(wrong.scenario), simulated)
    varying = {
        _key(aspect, entry)
        for aspect in aspects
        for entry in aspect.entries
        if entry.outcome is Outcome.MISMATCH
    }
    return [
        replace(one, aspects=[_unproven(aspect, varying) for aspect in one.aspects])
        for one in compared
    ]


def _key(aspect: Aspect, entry: Entry) -> _Key:
    return aspect.name, entry.graph, entry.subject


def _unproven(aspect: Aspect, varying: set[_Key]) -> Aspect:
    """Return an aspect in which differences that come from run to run prove nothing.

    Sizes of memory are powers of two, and may be the same of other work: they go with the rest.
    """
    reason = "what the program before does differs from run to run, too"
    sizes = aspect.name == "memory" and bool(varying)
    entries = [
        replace(entry, outcome=Outcome.INCONCLUSIVE, reason=reason)
        if entry.outcome is Outcome.MISMATCH
        and (_key(aspect, entry) in varying or (sizes and entry.subject != _MODE))
        else entry
        for entry in aspect.entries
    ]
    return replace(aspect, entries=entries)
