"""Compares where operations ran: by name, or by type where one side has no such names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from tfgpu.verify.compare.gpu_work import compare_gpu_work
from tfgpu.verify.compare.operation_types import compare_kinds, compare_shapes
from tfgpu.verify.compare.pairing import (
    FUNCTION,
    asked_elsewhere,
    ended_early,
    nothing_to_compare,
    same_form,
    same_runtime,
    session_pairs,
)
from tfgpu.verify.compare.settings import PLACEMENT, differing, settings_behind
from tfgpu.verify.compare.traces import compare_traces
from tfgpu.verify.compare.work import compare_work
from tfgpu.verify.lists import grouped
from tfgpu.verify.observation import AS_PLACED, Observation, Operation, Placement
from tfgpu.verify.verdict import Entry, Outcome

# Keras asks which of its variables are initialised in the order of a set, so that these names say
# nothing (`_initialize_variables` in tf_keras/src/backend.py, 2.21; 1.15.5 likewise).
_IN_ANY_ORDER = re.compile(r"(.*/)?(VarIsInitializedOp|IsVariableInitialized)(_\d+)?$")
# What TensorFlow names itself when it lowers control flow.
_NUMBERED = re.compile(r"/_\d+$")
# TensorFlow runs one of several equal constants, the first that it comes to: which it is says
# nothing where Keras asks for the first values of its variables in the order of a set.
_FIRST_VALUE = re.compile(r"(.*/)?Initializer/\w+$")
# Below this share of common names two graphs are not the same graph in two versions of TensorFlow.
_COMMON = 0.5


def compare_placement(before: Observation, after: Observation) -> list[Entry]:
    """Return the differences of every graph that ran, and one entry for what is alike."""
    if not before.placements and not after.placements:
        return [nothing_to_compare("operations", "no operation was run", before, after)]
    if not same_form(before, after):
        if before.reached and after.reached:
            return [_probed(before, after)]
        return [_of_migration(entry, after) for entry in compare_work(before, after)]
    named = _by_names(before, after)
    if not any(entry.differs for entry in named):
        if same_runtime(before, after):
            named += [*compare_shapes(before, after), *compare_traces(before, after)]
            named += compare_gpu_work(before, after)
        else:
            named += compare_kinds(before, after)
        return named
    if _other_types(before, after):
        return [_of_migration(entry, after) for entry in compare_work(before, after)]
    return named


def _of_migration(entry: Entry, after: Observation) -> Entry:
    """Return an entry for what the same text comes to in graphs and in eager code.

    Keras gives an optimizer other variables there, and spells its steps otherwise. A migration
    changes no text but settings; a rewrite by hand may change the optimizer.
    """
    if not (after.migrated and entry.form and entry.differs):
        return entry
    reason = "the same text, as Keras runs it in graphs and in eager code"
    return replace(entry, outcome=Outcome.IGNORED, reason=reason)


def _probed(before: Observation, after: Observation) -> Entry:
    """Compare where a product ran on each device, of programs that stop before their own work."""
    found = [
        {
            one.device
            for graph in leg.placements
            for one in graph.operations
            if one.kind == "MatMul" and graph.title != AS_PLACED
        }
        for leg in (before, after)
    ]
    texts = [", ".join(sorted(devices)) or "none" for devices in found]
    outcome = Outcome.MATCH if found[0] == found[1] else Outcome.MISMATCH
    reason = "" if found[0] == found[1] else _behind(before, after)
    return Entry("a product on each device", outcome, texts[0], texts[1], reason)


def _by_names(before: Observation, after: Observation) -> list[Entry]:
    """Compare operations by their names, graph by graph."""
    entries: list[Entry] = []
    left = {placement.title: placement for placement in before.placements}
    right = {placement.title: placement for placement in after.placements}
    for old, new in _renamed(left, right):
        right[old] = right.pop(new)
    for title in dict.fromkeys([*left, *right]):
        mine, theirs = left.get(title), right.get(title)
        if mine is None or theirs is None:
            entries.append(_alone(title, mine, theirs, before, after))
        else:
            entries.extend(_by_name(title, mine.operations, theirs.operations, before, after))
    return entries


def _other_types(before: Observation, after: Observation) -> bool:
    """Tell whether eager code of the two sides runs other types of operations: other forms."""
    mine, theirs = (
        {one.kind for graph in leg.placements if graph.eager for one in graph.operations}
        for leg in (before, after)
    )
    return bool(mine - theirs and theirs - mine)


def _renamed(left: Iterable[str], right: Iterable[str]) -> list[tuple[str, str]]:
    """Pair the functions that have a name on one side only, in the order of their calls."""
    mine, theirs = (
        [title for title in side if title.startswith(FUNCTION) and title not in other]
        for side, other in ((left, right), (right, left))
    )
    return list(zip(mine, theirs, strict=False))


def _behind(before: Observation, after: Observation) -> str:
    """Return in words what placed an operation otherwise that both programs ask for alike."""
    pairs = session_pairs(before, after)
    pair = pairs[-1] if pairs else (None, None)
    if asked_elsewhere(before, after) and not differing(PLACEMENT, before, after, pair):
        return "placed with operations that the two programs ask for on different devices"
    return settings_behind(PLACEMENT, before, after, pair)


def _alone(
    title: str,
    mine: Placement | None,
    theirs: Placement | None,
    before: Observation,
    after: Observation,
) -> Entry:
    """Return the entry for a graph that only one side ran."""
    texts = _count(mine), _count(theirs)
    early = ended_early(before, after)
    reason = _behind(before, after) if early else "only one side ran this graph"
    return Entry(title, Outcome.MISMATCH, *texts, reason)


def _count(placement: Placement | None) -> str:
    return f"{len(placement.operations)} operations" if placement else "did not run"


def _by_name(
    title: str,
    mine: Sequence[Operation],
    theirs: Sequence[Operation],
    before: Observation,
    after: Observation,
) -> Iterator[Entry]:
    left, right = (grouped(in_order(side), lambda one: one.name) for side in (mine, theirs))
    for name, other in _renumbered(left, right):
        right[name] = right.pop(other)
    common = left.keys() & right.keys()
    alike = 0
    for name in sorted(common):
        # Versions of TensorFlow build the same operation from other types (AddV2 for Add).
        typed = same_runtime(before, after)
        if _places(left[name], typed) == _places(right[name], typed):
            alike += 1
        elif typed or not _NUMBERED.search(name):  # another version numbers other copies
            reason = _other_type(left[name], right[name]) or _asked(left[name], right[name])
            reason = reason or _behind(before, after)
            yield _difference(title, left[name], right[name], reason)
    single = sorted(left.keys() ^ right.keys())
    parts = _parts(left.keys() | right.keys(), common)
    most = max(len(side.keys() - parts) for side in (left, right))
    if not same_runtime(before, after) and len(common) >= _COMMON * most:
        if single:
            reason = "TensorFlow's versions name and fold some operations differently"
            texts = (f"{len(left) - len(common)} others", f"{len(right) - len(common)} others")
            yield Entry("other operations", Outcome.IGNORED, *texts, reason, graph=title)
    else:
        reason = ended_early(before, after) or "only one side ran this operation"
        for name in single:
            yield _difference(title, left.get(name, []), right.get(name, []), reason)
    if alike:
        texts = (f"{alike} operations",) * 2
        yield Entry("all others", Outcome.MATCH, *texts, "placed alike", graph=title)


def _parts(names: Set[str], common: Set[str]) -> set[str]:
    """Return the names of one side only that belong to a call of TensorFlow's that both sides have.

    Such a call ends in an operation that has the name of its scope: `random_uniform`, which is
    `random_uniform/mul` and `random_uniform/sub` in TensorFlow 1, and neither in 2 from 0 to 1.
    """
    calls = {name.rpartition("/")[0] for name in common} & names
    return {one for one in names - common if one in calls or one.rpartition("/")[0] in calls}


def _renumbered(
    left: Mapping[str, Sequence[Operation]], right: Mapping[str, Sequence[Operation]]
) -> Iterator[tuple[str, str]]:
    """Pair names of one side only that TensorFlow gave, or that stand for others by chance.

    The order of a loop's variables numbers them: `while/exit/_21` (`LowerWhileHelper`, 2.21).
    """
    mine, theirs = (
        grouped(sorted(_by_chance(side, other)), lambda item: item[0])
        for side, other in ((left, right), (right, left))
    )
    for base in mine.keys() & theirs.keys():
        for one, other in zip(mine[base], theirs[base], strict=False):
            yield one[-1], other[-1]


def _by_chance(
    side: Mapping[str, Sequence[Operation]], other: Mapping[str, Sequence[Operation]]
) -> Iterator[tuple[str, list[tuple[str, str]], str]]:
    """Yield names of one side only: without what chance decides, with their places, and whole."""
    for name in (name for name in side if name not in other):
        places = sorted(_places(side[name], True))
        if _NUMBERED.search(name):
            yield _NUMBERED.sub("", name), places, name
        elif _FIRST_VALUE.match(name) and {kind for kind, _ in places} == {"Const"}:
            yield "", places, name


def in_order(operations: Sequence[Operation]) -> list[Operation]:
    """Return the operations of a graph, with names that say nothing in the order of devices."""
    loose = [one for one in operations if _IN_ANY_ORDER.match(one.name)]
    named = grouped(loose, lambda one: one.name)
    ordered = sorted(named, key=lambda name: ([one.device for one in named[name]], name))
    renamed = dict(zip(ordered, sorted(named), strict=True))
    return [replace(one, name=renamed.get(one.name, one.name)) for one in operations]


def _places(operations: Sequence[Operation], typed: bool) -> set[tuple[str, str]]:
    return {(operation.kind if typed else "", operation.device) for operation in operations}


def _asked(mine: Sequence[Operation], theirs: Sequence[Operation]) -> str:
    """Return in words that the two programs ask for different devices, "" where they do not."""
    asked = [", ".join(sorted({one.requested for one in side})) for side in (mine, theirs)]
    if asked[0] == asked[1]:
        return ""
    return f"asked for {asked[0] or 'no device'} before, {asked[1] or 'no device'} after"


def _other_type(mine: Sequence[Operation], theirs: Sequence[Operation]) -> str:
    """Return in words that an operation is another one where it was, "" where it was elsewhere."""
    if _devices(mine) != _devices(theirs):
        return ""
    kinds = [", ".join(sorted({one.kind for one in side})) for side in (mine, theirs)]
    return f"another operation of this name: {kinds[0]} before, {kinds[1]} after"


def _difference(
    title: str, mine: Sequence[Operation], theirs: Sequence[Operation], reason: str
) -> Entry:
    one = [*theirs, *mine][0]
    texts = (_devices(mine), _devices(theirs))
    return Entry(one.name, Outcome.MISMATCH, *texts, reason, source=one.source, graph=title)


def _devices(operations: Sequence[Operation]) -> str:
    return ", ".join(sorted({operation.device for operation in operations})) or "did not run"
