"""Compares the traces of functions of one name: where what is done for given shapes ran.

A `tf.function` is traced for each signature of its arguments, and the operations of all its traces
have the same names. So the device of an operation may change from trace to trace, and names do not
show in which. Traces answer to each other that consist of the same operations on the same shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tfgpu.verify.compare.pairing import FUNCTION, added_runs, differing_runs
from tfgpu.verify.compare.steps import (
    SWAPPED,
    Bag,
    Key,
    Work,
    all_works,
    by_key,
    counted,
    keys_of,
    name_of,
    without_devices,
)
from tfgpu.verify.lists import grouped
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Entry, Outcome

Shapes = frozenset[tuple[Key, int]]
"""How many operations of each key a trace has."""
Places = frozenset[tuple[tuple[Key, str], int]]
"""How many operations of each key it has on which device."""


def compare_traces(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield what the traces of a function do not do on the same devices, function by function."""
    keys = keys_of(before, after)
    left, right = (
        grouped((one for one in all_works(leg, keys) if _is_trace(one)), lambda one: one.title)
        for leg in (before, after)
    )
    for title in (title for title in left if title in right):
        yield from _of_function(left[title], right[title])


def _is_trace(work: Work) -> bool:
    return not work.eager and work.title.startswith(FUNCTION) and bool(work.placed)


def _of_function(mine: Sequence[Work], theirs: Sequence[Work]) -> Iterator[Entry]:
    left, right = _by_shapes(mine), _by_shapes(theirs)
    for shapes in (one for one in left if one in right):
        yield from _of_shapes(left[shapes], right[shapes])
    if not _depends((*mine, *theirs)):
        return
    for shapes in left.keys() | right.keys():
        yield from _as_often(left.get(shapes, {}), right.get(shapes, {}))


def _by_shapes(works: Iterable[Work]) -> dict[Shapes, dict[Places, Work]]:
    """Return traces by what they consist of and where that ran; those alike in both as one."""
    found: dict[Shapes, dict[Places, Work]] = {}
    for work in works:
        alike = found.setdefault(frozenset(without_devices(work.placed).items()), {})
        places = frozenset(work.placed.items())
        alike[places] = _together(alike[places], work) if places in alike else work
    return found


def _together(one: Work, other: Work) -> Work:
    runs = added_runs(one.runs, other.runs) if one.runs and other.runs else None
    return replace(one, runs=runs)


def _of_shapes(mine: Mapping[Places, Work], theirs: Mapping[Places, Work]) -> Iterator[Entry]:
    """Compare where the traces of the same operations on the same shapes ran."""
    if mine.keys() != theirs.keys():
        yield from _elsewhere([*mine.values()], [*theirs.values()])
    elif list(mine) != list(theirs) and not _are_of_threads((*mine.values(), *theirs.values())):
        texts = [", ".join(map(_devices, side.values())) for side in (mine, theirs)]
        title = next(iter(mine.values())).title
        yield Entry("traces", Outcome.INCONCLUSIVE, texts[0], texts[1], SWAPPED, graph=title)


def _elsewhere(mine: Sequence[Work], theirs: Sequence[Work]) -> Iterator[Entry]:
    left, right = by_key(_total(mine)), by_key(_total(theirs))
    sources = {key: item.source for work in (*mine, *theirs) for key, item in work.items}
    title, reason = mine[0].title, "in the traces for these shapes, on other devices"
    keys = [key for key in sorted(left) if left[key] != right[key]]
    for key in keys:
        texts = counted(left[key]), counted(right[key])
        source = sources[key]
        yield Entry(name_of(key), Outcome.MISMATCH, *texts, reason, source=source, graph=title)
    if not keys:  # they are on these devices in other traces
        texts = ", ".join(map(_devices, mine)), ", ".join(map(_devices, theirs))
        yield Entry("traces", Outcome.MISMATCH, *texts, reason, graph=title)


def _depends(works: Sequence[Work]) -> bool:
    """Tell whether an operation of a type ran on other devices in one trace than in another."""
    known: dict[str, set[str]] = {}
    for work in works:
        for kind, devices in _by_kind(work.own + work.heavy_gradients).items():
            if known.setdefault(kind, devices) != devices:
                return True
    return False


def _by_kind(bag: Bag) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for (kind, _), device in bag:
        found.setdefault(kind, set()).add(device)
    return found


def _as_often(mine: Mapping[Places, Work], theirs: Mapping[Places, Work]) -> Iterator[Entry]:
    """Compare how often traces ran, which decides what each device does where they differ in it."""
    title = next(iter((*mine.values(), *theirs.values()))).title
    if not mine or not theirs:
        works = [*mine.values(), *theirs.values()]
        ran, texts = ", ".join(map(_devices, works)), "not traced"
        reason = "only one side traces it for these shapes, and the device depends on the trace"
        both = (ran, texts) if mine else (texts, ran)
        yield Entry("traces", Outcome.INCONCLUSIVE, *both, reason, graph=title)
        return
    for places in mine.keys() & theirs.keys():
        left, right = mine[places].runs, theirs[places].runs
        differ = differing_runs(left, right) if left and right else None
        if differ:
            reason = f"the trace on {_devices(mine[places])} runs more often on one side"
            yield Entry("traces", Outcome.INCONCLUSIVE, *differ, reason, graph=title)


def _are_of_threads(works: Sequence[Work]) -> bool:
    """Tell whether other threads than the first one ran traces: chance decides which is first."""
    return all(work.runs and work.runs.more and not work.is_cut for work in works)


def _total(works: Iterable[Work]) -> Bag:
    return sum((work.placed for work in works), Counter())


def _devices(work: Work) -> str:
    return " and ".join(sorted({device for _, device in work.placed}))
