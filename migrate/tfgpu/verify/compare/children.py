"""Compares the processes that two legs start, paired by what they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from tfgpu.verify.compare.configuration import compare_pools
from tfgpu.verify.compare.cut import without_consequences
from tfgpu.verify.compare.gpu_work import compare_work_of_workers
from tfgpu.verify.compare.pairing import FUNCTION, plain_sessions
from tfgpu.verify.compare.result import ending
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Entry, Outcome

Compared = Mapping[str, Callable[[Observation, Observation], list[Entry]]]
Pair = tuple[Observation | None, Observation | None]

_POOL = "pool worker"
_TITLE = "session 1"
_MOST = 2_500  # pairs of sessions of a pool


def compare_children(
    before: Observation, after: Observation, compared: Compared
) -> Iterator[tuple[str, Entry]]:
    """Yield the entries of all children, with the aspect of each; `compared` are the aspects."""
    yield from (("configuration", entry) for entry in compare_pools(before, after))
    for title, group in _groups(before.children, after.children):
        for aspect, entry in _of_group(title, *group, compared):
            graph = f"{title}: {entry.graph}" if entry.graph else title
            yield aspect, replace(entry, graph=graph)


def _groups(
    before: Sequence[Observation], after: Sequence[Observation]
) -> list[tuple[str, tuple[list[Observation], list[Observation]]]]:
    """Return the children that run the same; what only one side runs is one group, in order."""
    names = [{child.program for child in side} for side in (before, after)]
    common = names[0] & names[1]
    groups: dict[str, tuple[list[Observation], list[Observation]]] = {}
    for side, children in enumerate((before, after)):
        for child in children:
            key = child.program if child.program in common else ""
            groups.setdefault(key, ([], []))[side].append(child)
    return [(f"child {key}".rstrip(), group) for key, group in groups.items()]


def _of_group(
    title: str,
    before: list[Observation],
    after: list[Observation],
    compared: Compared,
) -> Iterator[tuple[str, Entry]]:
    pairs = _pairs(before, after, compared)
    if (
        title.endswith(_POOL)
        and len(pairs) > 1
        and _profile(before) == _profile(after)
        and _are_alike(before, after, compared)
    ):
        # Which worker gets what is chance: they are compared together.
        others = [*compare_work_of_workers(before, after)]
        if others:
            yield from (("placement", entry) for entry in others)
            return
        texts = (f"{len(before)} workers", f"{len(after)} workers")
        work = Entry("work", Outcome.MATCH, *texts, "the same in all workers together")
        yield from ((aspect, work) for aspect in compared)
        return
    for left, right in pairs:
        yield from _entries(left, right, compared)


def _profile(workers: Sequence[Observation]) -> set[object]:
    """Return what the workers of a pool did, whichever of them did it.

    A pool ends its workers, some before they come to their ends: how is chance, too.
    """
    return {
        part
        for one in workers
        for part in (
            *(
                (item.kind, item.device)
                for graph in one.placements
                if graph.title != FUNCTION + "s"  # of no name: noted at a worker's end only
                for item in graph.operations
            ),
            *((card.bus, *card.calls[:1]) for card in one.memory),
            *(("environment", *item) for item in one.environment.items()),
            *(
                (told.what, told.name, *sorted(told.values.items()))
                for told in one.told
                if told.what != "optimizer"  # noted at a worker's end only
            ),
        )
    }


def _are_alike(before: list[Observation], after: list[Observation], compared: Compared) -> bool:
    """Tell whether each session has one on the other side with the same devices and settings."""
    before, after = _by_session(before), _by_session(after)
    if len(before) * len(after) > _MOST:
        return False
    aspects = {name: compared[name] for name in ("devices", "configuration")}

    def alike(one: Observation, others: list[Observation], swapped: bool) -> bool:
        pairs = ((other, one) if swapped else (one, other) for other in others)
        return any(_is_alike(*pair, aspects) for pair in pairs)

    return all(alike(one, after, False) for one in before) and all(
        alike(one, before, True) for one in after
    )


def _by_session(workers: Sequence[Observation]) -> list[Observation]:
    """Return each worker with one session at a time; of sessions that are alike, one.

    What all of them are told is in their profile; constants are noted at a worker's end only.
    """
    found: dict[object, Observation] = {}
    for one in workers:
        plain = plain_sessions(one)
        for session in one.sessions:
            named = replace(session, title=_TITLE) if session in plain else session
            key = (*sorted(session.config.items()), *session.devices, *one.environment.items())
            alone = replace(one, sessions=[named], constants={}, told=[])
            found.setdefault((named.title, key), alone)
    return [*found.values()]


def _pairs(before: list[Observation], after: list[Observation], compared: Compared) -> list[Pair]:
    """Pair children in the order in which they were started.

    Where that is chance (several threads start some), or there are more on one side: first each
    with one that is alike, then the others in their order.
    """
    in_order = [_in_order(side) for side in (before, after)]
    if in_order[0] and in_order[1] and len(before) == len(after):
        return [*zip(*in_order, strict=True)]
    pairs: list[Pair] = []
    left, right = list(before), list(after)
    for mine in before:
        for theirs in right:
            if _is_alike(mine, theirs, compared):
                pairs.append((mine, theirs))
                left.remove(mine)
                right.remove(theirs)
                break
    return [*pairs, *zip_longest(left, right)]


def _in_order(children: Sequence[Observation]) -> list[Observation]:
    """Return children in the order in which they were started; none where that is not known."""
    orders = {one.order for one in children}
    is_known = all(one and all(one) for one in orders) and len(orders) == len(children)
    is_pool = any(one.program.endswith(_POOL) for one in children)
    return sorted(children, key=lambda one: one.order) if is_known and not is_pool else []


def _is_alike(left: Observation, right: Observation, compared: Compared) -> bool:
    return not any(entry.differs for _, entry in _entries(left, right, compared))


def _entries(
    left: Observation | None, right: Observation | None, compared: Compared
) -> list[tuple[str, Entry]]:
    if left is None or right is None:
        texts = (left.program if left else "", right.program if right else "")
        reason = "only one side starts this process, or makes sessions in it"
        return [("devices", Entry("process", Outcome.MISMATCH, *texts, reason))]
    found = [
        (aspect, entry)
        for aspect, function in compared.items()
        for entry in without_consequences(aspect, function(left, right), left, right)
    ]
    if left.program.endswith(_POOL) and "unseen" in (left.ended, right.ended):
        return found
    return [*found, ("result", ending(left, right))]
