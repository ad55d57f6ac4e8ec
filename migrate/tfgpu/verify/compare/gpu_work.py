"""Compares what simulated GPUs were given to do: which branches of graphs ran, and which loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tfgpu.verify.compare.pairing import same_form, same_runtime
from tfgpu.verify.lists import first_of
from tfgpu.verify.observation import Observation
from tfgpu.verify.simgpu.events import SUMS
from tfgpu.verify.verdict import Entry, Outcome

# How a leg ended that came as far as it was to come.
_WHOLE = ("end", "steps")
_MOST = 3  # kernels that are named
_CHANCE = "threads fill queues as often as they come to: how much work that is varies"

_Work = Mapping[str, tuple[int, int]]


def compare_gpu_work(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield an entry for each GPU that was given other kernels, or calculations, or other sizes."""
    whole = {before.ended, after.ended} <= {*_WHOLE} and before.ended == after.ended
    if not whole or not same_runtime(before, after) or not same_form(before, after):
        return
    for bus in sorted({*before.launches, *after.launches}):
        mine, theirs = before.launches.get(bus, {}), after.launches.get(bus, {})
        if mine != theirs:
            entry = _other(bus, mine, theirs)
            if mine.keys() == theirs.keys() and (before.fills_queues or after.fills_queues):
                entry = replace(entry, outcome=_by_chance(before, after), reason=_CHANCE)
            yield entry


def _by_chance(before: Observation, after: Observation) -> Outcome:
    """Return what work that varies from run to run tells: where tfgpu set GPUs only, nothing."""
    is_own = before.migrated or after.migrated
    return Outcome.IGNORED if is_own else Outcome.INCONCLUSIVE


def compare_work_of_workers(
    before: Sequence[Observation], after: Sequence[Observation]
) -> Iterator[Entry]:
    """Compare what the workers of a pool were given together: which of them is chance.

    Each has written it behind its tasks.
    """
    mine, theirs = (
        replace(workers[0], launches=_together(workers), ended="end") for workers in (before, after)
    )
    yield from compare_gpu_work(mine, theirs)


def _together(workers: Sequence[Observation]) -> dict[str, dict[str, tuple[int, int]]]:
    found: dict[str, dict[str, tuple[int, int]]] = {}
    for one in workers:
        for bus, work in one.launches.items():
            whole = found.setdefault(bus, {})
            for name, (count, sizes) in work.items():
                before = whole.get(name, (0, 0))
                whole[name] = before[0] + count, (before[1] + sizes) % SUMS
    return found


def _other(bus: str, mine: _Work, theirs: _Work) -> Entry:
    differing = sorted(name for name in {*mine, *theirs} if mine.get(name) != theirs.get(name))
    texts = tuple(_told(side, differing) for side in (mine, theirs))
    counts = [{name: side[name][0] for name in side} for side in (mine, theirs)]
    reason = (
        "kernels of other sizes"
        if counts[0] == counts[1]
        else "this GPU was given more or other work: other branches, or passes of loops, ran"
    )
    return Entry("work", Outcome.MISMATCH, texts[0], texts[1], reason, graph=bus)


def _told(work: _Work, names: list[str]) -> str:
    """Return how many kernels there were, and how often some of them."""
    total = sum(count for count, _ in work.values())
    some = [f"{work[name][0]} {name[:60]}" for name in names if name in work]
    return f"{total} in all{': ' if some else ''}{first_of(some, _MOST)}"
