"""Compares two forms of a program by what their steps consist of.

A session's graph, a function, eager code and a Keras model name the same operations differently,
and make others around them. What they share is the work: operations of a type, with their shapes,
on their devices, in the order of their making; and the variables. Each run of a session and each
function is a step; eager code has done each of its steps a whole number of times.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tfgpu.verify.compare.pairing import added_runs, differing_runs
from tfgpu.verify.compare.steps import (
    SHAPE,
    SWAPPED,
    Bag,
    Key,
    Work,
    all_works,
    by_key,
    compare_variables,
    counted,
    keys_of,
    kind_of,
    name_of,
    without_devices,
    works_of,
)
from tfgpu.verify.lists import first_of, grouped
from tfgpu.verify.observation import Observation, Runs
from tfgpu.verify.verdict import Entry, Outcome

_APPLIES = re.compile(r"(Resource)?(Sparse)?Apply")

# So many times one step is tried, where eager code did several kinds of steps.
_MOST_TIMES = 5_000


def compare_work(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield what two forms of a program have in common, and what not."""
    keys = keys_of(before, after)
    left, right = works_of(before, keys), works_of(after, keys)
    unknown = [kind for one in (*left, *right) for kind in one.unknown]
    if unknown:
        reason = f"what {unknown[0]} consists of could not be read"
        yield Entry("operations", Outcome.INCONCLUSIVE, "", "", reason)
        return
    yield from compare_variables(before, after)
    lost = [name_of(key) for one in (*left, *right) for key, device in one.own if not device]
    if lost:
        reason = f"where {lost[0]} ran could not be read"
        yield Entry("operations", Outcome.INCONCLUSIVE, "", "", reason)
    if not (_total(left) or _total(right)):
        reason = "neither side shows an operation that has to be the same in both forms"
        yield Entry("operations", Outcome.INCONCLUSIVE, "", "", reason)
        return
    kinds = [
        {_plain(item.kind) for one in side for _, item in one.items if _APPLIES.match(item.kind)}
        for side in (left, right)
    ]
    if all(kinds) and kinds[0] != kinds[1]:
        texts = ", ".join(sorted(kinds[0])), ", ".join(sorted(kinds[1]))
        yield Entry("optimizer", Outcome.MISMATCH, *texts, "another optimizer", form=True)
    yield from _compared(left, right)
    yield from _beside(*(_aside(all_works(leg, keys)) for leg in (before, after)))


def _plain(kind: str) -> str:
    return kind_of(kind).removeprefix("Resource").replace("SparseApply", "Apply")


def _beside(left: Mapping[str, set[str]], right: Mapping[str, set[str]]) -> Iterator[Entry]:
    """Compare what forms need not have in common, where both sides have it."""
    for name in sorted(left.keys() & right.keys()):
        if left[name] != right[name]:
            texts = _devices(left[name]), _devices(right[name])
            yield Entry(name, Outcome.INCONCLUSIVE, *texts, "on other devices")


def _aside(works: Sequence[Work]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in works:
        for name, devices in one.aside.items():
            found.setdefault(name, set()).update(devices)
    return found


def _total(works: Sequence[Work]) -> Bag:
    return sum((one.own for one in works), Counter())


def _essence(works: Iterable[Work]) -> Bag:
    return sum((one.essence for one in works), Counter())


def _compared(left: Sequence[Work], right: Sequence[Work]) -> Iterator[Entry]:
    mine, theirs = _distinct(left), _distinct(right)
    pairs, swapped = _paired(mine, theirs)
    for one, other in swapped:
        yield from _difference(one, other)
    for one, other in pairs:
        yield from _pair(one, other)
        yield from _in_turn([one], [other])
        if one.runs and other.runs:
            yield from _run_as_often(one, one.runs, other.runs)
    done = {id(work) for pair in (*pairs, *swapped) for work in pair}
    rest, others = ([one for one in side if id(one) not in done] for side in (mine, theirs))
    yield from _unpaired(rest, others)


def _unpaired(mine: Sequence[Work], theirs: Sequence[Work]) -> Iterator[Entry]:
    """Compare the steps that have no like, and what eager code did of all steps together."""
    left, right = ([one for one in side if one.essence] for side in (mine, theirs))
    slight = [[one for one in side if not one.essence] for side in (mine, theirs)]
    if left and right:
        times = _solved(left, right)
        if times is None:
            yield from _unlike(left, right)
        else:
            # What initializes weights is part of eager code, and a step of its own in a session.
            yield from _pair(
                _merged([*left, *slight[0]], times[0]), _merged([*right, *slight[1]], times[1])
            )
            yield from _in_turn(left, right)
            yield from _done_as_often(left, times[0], [one for one in right if one.eager])
            yield from _done_as_often(right, times[1], [one for one in left if one.eager])
            return
    for side, works in (("before", left), ("after", right)):
        if bool(left) != bool(right):
            for one in works:
                texts = _summary(one.essence), "did not run"
                reason = f"only the program {side} has this step"
                yield Entry(
                    "step",
                    Outcome.MISMATCH if not one.eager else Outcome.INCONCLUSIVE,
                    *(texts if side == "before" else texts[::-1]),
                    reason,
                    graph=_title(one),
                )
    yield from _slight(*slight)


def _run_as_often(work: Work, left: Runs, right: Runs) -> Iterator[Entry]:
    texts = differing_runs(left, right)
    if texts:
        reason = "this step runs more often on one side"
        yield Entry("runs", Outcome.INCONCLUSIVE, *texts, reason, graph=_title(work))


def _done_as_often(
    works: Sequence[Work], times: Sequence[int], eager: Sequence[Work]
) -> Iterator[Entry]:
    """Compare the runs of steps with how often eager code did each, where only that explains it."""
    for work, number in zip(works, times, strict=True):
        others = _essence(one for one in works if one is not work)
        if eager and work.runs and any(key not in others for key in work.essence):
            more = any(one.is_cut for one in eager)
            yield from _run_as_often(work, work.runs, Runs("eager code", number, more))


def _slight(mine: Sequence[Work], theirs: Sequence[Work]) -> Iterator[Entry]:
    """Compare steps of sums and the like alone: what initializes weights, what joins results."""
    left, right = _total(mine), _total(theirs)
    if left or right:
        both = [*mine, *theirs]
        yield from _spelled(left - right, right - left, _title(both[0]))


def _solved(left: Sequence[Work], right: Sequence[Work]) -> tuple[list[int], list[int]] | None:
    """Return how often each step was done, so that both sides did the same; None where not so."""
    eager = any(one.eager for one in left), any(one.eager for one in right)
    total = _essence(left), _essence(right)
    ones = [1] * len(left), [1] * len(right)
    if total[0] == total[1]:
        return ones
    if eager[1] and not eager[0] and (times := _times([one.essence for one in left], total[1])):
        return times, ones[1]
    if eager[0] and not eager[1] and (times := _times([one.essence for one in right], total[0])):
        return ones[0], times
    if all(eager) and len(left) == len(right) == 1:
        if times := _times([total[0]], total[1]):
            return times, ones[1]
        if times := _times([total[1]], total[0]):
            return ones[0], times
    return None


def _times(steps: Sequence[Bag], total: Bag) -> list[int] | None:
    """Return how often each step is in a total, None where the total is not made of them."""
    if not steps:
        return None if total else []
    for key in sorted(total, key=str):
        having = [index for index, step in enumerate(steps) if key in step]
        if len(having) == 1:
            break
    else:
        having, key = [0], next(iter(steps[0]))
    index = having[0]
    rest = [step for number, step in enumerate(steps) if number != index]
    exact = total[key] / steps[index][key]
    alone = not any(key in step for step in rest)
    for times in [int(exact)] if alone else range(1, min(int(exact), _MOST_TIMES) + 1):
        part = _scaled(steps[index], times)
        if times >= 1 and not part - total:
            found = _times(rest, total - part)
            if found is not None:
                return [*found[:index], times, *found[index:]]
    return None


def _scaled(bag: Bag, times: int) -> Bag:
    return Counter({key: count * times for key, count in bag.items()})


def _merged(works: Sequence[Work], times: Sequence[int]) -> Work:
    """Return several steps as one, each so often; those without a number once."""
    items = [
        (key, replace(item, count=item.count * number))
        for work, number in zip(works, [*times, *[1] * len(works)], strict=False)
        for key, item in work.items
    ]
    return replace(works[0], items=items, order=(), eager=False, assigns=False)


def _in_turn(left: Sequence[Work], right: Sequence[Work]) -> Iterator[Entry]:
    """Check that operations of one key come on the same devices in the same order, step by step."""
    for key in dict.fromkeys(key for one in left for key in one.sequences):
        rows = [
            [one.sequences[key] for one in side if key in one.sequences] for side in (left, right)
        ]
        if len({device for side in rows for row in side for device in row}) == 1:
            continue
        if not (_is_made_of(rows[1], rows[0]) or _is_made_of(rows[0], rows[1])):
            texts = tuple(_row([device for row in side for device in row]) for side in rows)
            yield Entry(name_of(key), Outcome.INCONCLUSIVE, texts[0], texts[1], SWAPPED)


def _is_made_of(whole: Sequence[Sequence[str]], parts: Sequence[Sequence[str]]) -> bool:
    """Tell whether a row consists of some others, the first time in their order."""
    row = [device for part in whole for device in part]
    at, reached = 0, 0
    while at < len(row):
        for number in range(min(reached + 1, len(parts))):
            part = parts[number]
            if list(row[at : at + len(part)]) == list(part):
                at += len(part)
                reached = max(reached, number + 1)
                break
        else:
            return False
    return reached == len(parts)


def _unlike(left: Sequence[Work], right: Sequence[Work]) -> Iterator[Entry]:
    """Yield what the steps of one side have and those of the other have not."""
    mine, theirs = by_key(_essence(left)), by_key(_essence(right))
    eager = any(one.eager for one in (*left, *right))
    for key in sorted(mine.keys() | theirs.keys()):
        one, other = mine.get(key, {}), theirs.get(key, {})
        if one == other:
            continue
        texts = counted(one), counted(other)
        if not one or not other:
            reason = f"only the program {'before' if one else 'after'} has such operations"
            yield Entry(name_of(key), Outcome.MISMATCH, *texts, reason)
        elif _is_unread(one, other):
            continue
        elif one.keys() != other.keys():
            reason = "the same operations, on other devices"
            yield Entry(name_of(key), Outcome.MISMATCH, *texts, reason)
        elif eager:
            reason = "no number of steps explains both: one side has more, or shares them otherwise"
            yield Entry(name_of(key), Outcome.INCONCLUSIVE, *texts, reason)
        else:
            reason = "one side has more of them in a step, or shares them out otherwise"
            yield Entry(name_of(key), Outcome.MISMATCH, *texts, reason)


def _distinct(works: Sequence[Work]) -> list[Work]:
    """Leave out functions and runs that consist of the same as an earlier one."""
    found: list[Work] = []
    for work in works:
        alike = (n for n, one in enumerate(found) if not one.eager and one.parts == work.parts)
        like = None if work.eager else next(alike, None)
        if like is None:
            found.append(work)
        elif (first := found[like]).runs and work.runs:
            found[like] = replace(first, runs=added_runs(first.runs, work.runs))
    return found


def _paired(
    mine: Sequence[Work], theirs: Sequence[Work]
) -> tuple[list[tuple[Work, Work]], list[tuple[Work, Work]]]:
    """Pair steps that consist of the same, in order; return apart those that then differ."""
    left, right = _by_shape(mine), _by_shape(theirs)
    pairs: list[tuple[Work, Work]] = []
    swapped: list[tuple[Work, Work]] = []
    for shape, works in left.items():
        others = right.get(shape, [])
        for one, other in zip(works, others, strict=False):
            (pairs if one.essence == other.essence else swapped).append((one, other))
    return pairs, swapped


def _by_shape(works: Sequence[Work]) -> dict[frozenset[tuple[Key, int]], list[Work]]:
    found = (work for work in works if not work.eager and work.essence)
    return grouped(found, lambda work: frozenset(work.shape.items()))


def _pair(one: Work, other: Work) -> Iterator[Entry]:
    """Compare two steps whose work is the same but for how arithmetic is spelled."""
    number = sum(one.essence.values())
    texts = (f"{number} operations",) * 2
    yield Entry("products, convolutions and the like", Outcome.MATCH, *texts, graph=_title(one))
    yield from _arithmetic(one, other)


def _title(work: Work) -> str:
    return f"step of {work.title}"


def _row(devices: Sequence[str], most: int = 6) -> str:
    return ", ".join(devices[:most]) + (", ..." if len(devices) > most else "")


def _arithmetic(one: Work, other: Work) -> Iterator[Entry]:
    """Judge what is left where the work is the same: sums, means, updates, light gradients."""
    title = _title(one)
    if one.updated != other.updated:
        only = one.updated ^ other.updated
        texts = _places(one.updated & only), _places(other.updated & only)
        same = {shape for _, shape in one.updated} == {shape for _, shape in other.updated}
        outcome = Outcome.MISMATCH if same else Outcome.INCONCLUSIVE
        reason = (
            "weights are updated on other devices"
            if same
            else "one side computes with weights that the other leaves alone"
        )
        yield Entry("updates of weights", outcome, *texts, reason, graph=title)
    if one.counters != other.counters:
        texts = counted(one.counters), counted(other.counters)
        reason = "single numbers are counted up or down more often on one side"
        yield Entry("counters", Outcome.INCONCLUSIVE, *texts, reason, graph=title, form=True)
    if one.gradient_devices != other.gradient_devices:
        texts = _devices(one.gradient_devices), _devices(other.gradient_devices)
        reason = "gradients are computed on other devices"
        yield Entry("gradients", Outcome.INCONCLUSIVE, *texts, reason, graph=title)
    yield from _spelled(one.own - other.own, other.own - one.own, title)


def _spelled(mine: Bag, theirs: Bag, title: str) -> Iterator[Entry]:
    """Judge operations that only one side has: the same may be spelled with others."""
    if not mine and not theirs:
        return
    texts = _summary(mine), _summary(theirs)
    moved = without_devices(mine).keys() & without_devices(theirs).keys()
    places = {device for _, device in mine} | {device for _, device in theirs}
    subject = "sums, means and the like"
    if moved:
        both = sorted(moved)[0]
        reason = f"{name_of(both)} and others run on other devices"
        yield Entry(subject, Outcome.MISMATCH, *texts, reason, graph=title)
        return
    is_as_many = mine.total() == theirs.total()
    if not is_as_many and all(_same_sizes(mine, theirs, device) for device in places):
        reason = "spelled in other operations of the same sizes, on the same devices"
        yield Entry(subject, Outcome.IGNORED, *texts, reason, graph=title)
        return
    reason = (
        "as many operations of another type: that is no other spelling"
        if is_as_many
        else "one side has operations that the other has not, or has on other devices"
    )
    form = len(places) == 1
    yield Entry(subject, Outcome.INCONCLUSIVE, *texts, reason, graph=title, form=form)


def _same_sizes(mine: Bag, theirs: Bag, device: str) -> bool:
    """Tell whether both sides compute on a device with tensors of the same sizes."""
    here = [[key for key, where in side if where == device] for side in (mine, theirs)]
    left, right = (
        {size for _, shapes in keys for _, size in SHAPE.findall(shapes) if size} for keys in here
    )
    return all(here) and left == right


def _devices(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _places(pairs: Iterable[tuple[str, str]]) -> str:
    return ", ".join(f"{shape} on {device}" for device, shape in sorted(pairs)) or "none"


def _summary(bag: Bag, most: int = 4) -> str:
    rows = [
        f"{count} {name_of(key)} on {device}"
        for (key, device), count in sorted(bag.items(), key=str)
    ]
    return first_of(rows, most) or "none"


def _is_unread(one: Mapping[str, int], other: Mapping[str, int]) -> bool:
    """Tell whether as many operations ran, some where that could not be read: an entry says so."""
    return "" in one.keys() | other.keys() and sum(one.values()) == sum(other.values())


def _difference(one: Work, other: Work) -> Iterator[Entry]:
    """Yield what two steps of the same operations do not have on the same devices."""
    mine, theirs = by_key(one.essence), by_key(other.essence)
    for key in sorted(mine.keys() | theirs.keys()):
        sides = mine.get(key, {}), theirs.get(key, {})
        if sides[0] != sides[1] and not _is_unread(*sides):
            texts = counted(sides[0]), counted(sides[1])
            reason = "the same operations, on other devices"
            yield Entry(name_of(key), Outcome.MISMATCH, *texts, reason, graph=_title(one))
