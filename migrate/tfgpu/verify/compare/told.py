"""Compares what may act only later: callbacks, hooks, optimizers, numbers in graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tfgpu.verify.compare.pairing import same_form, same_runtime
from tfgpu.verify.observation import Observation, Told
from tfgpu.verify.verdict import Entry, Outcome

_NONE = "none"
_MOST = 6
# What the subject of an entry begins with, for each kind.
_KINDS = ("callback", "hook", "optimizer")


def compare_told(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield what one side only was told; two forms are compared where both were told of a kind."""
    alike = same_form(before, after)
    for what in _KINDS:
        mine, theirs = ([one for one in leg.told if one.what == what] for leg in (before, after))
        if not alike and not (mine and theirs):
            continue
        for name in sorted({one.name for one in (*mine, *theirs)}):
            left, right = (_named(name, told) for told in (mine, theirs))
            yield from _compare(f"{what}: {name}", left, right)


def compare_constants(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield the numbers that differ in graphs of two programs of one form, on one TensorFlow.

    Where one side only has more of them, operations differ, and those are compared by themselves.
    """
    if not same_runtime(before, after) or not same_form(before, after):
        return
    for title in sorted(before.constants.keys() & after.constants.keys()):
        old, new = Counter(before.constants[title]), Counter(after.constants[title])
        mine, theirs = old - new, new - old
        if not mine and not theirs:
            continue
        outcome = Outcome.INCONCLUSIVE if mine and theirs else Outcome.IGNORED
        reason = (
            "a constant is another one: it may decide behind the runs that were compared"
            if mine and theirs
            else "one side has more constants: they go with operations, which are compared"
        )
        yield Entry("constants", outcome, _numbers(mine), _numbers(theirs), reason, graph=title)


def _numbers(counts: Counter[str]) -> str:
    found = sorted(counts.elements())
    return (", ".join(found[:_MOST]) + (" ..." if len(found) > _MOST else "")) or _NONE


def _named(name: str, told: Sequence[Told]) -> list[Told]:
    """Return those of a name, in an order of their own."""
    found = [one for one in told if one.name == name]
    return sorted(found, key=lambda one: sorted(one.values.items()))


def _compare(subject: str, left: Sequence[Told], right: Sequence[Told]) -> Iterator[Entry]:
    if len(left) != len(right):
        texts = (str(len(left) or _NONE), str(len(right) or _NONE))
        reason = "what only one side has may act behind the runs that were compared"
        yield Entry(subject, Outcome.MISMATCH, *texts, reason, graph="training")
        return
    for mine, theirs in zip(left, right, strict=True):
        old, new = mine.values, theirs.values
        # Another Keras, or its optimizers of old, have other attributes.
        alike = mine.kind == theirs.kind
        names = old.keys() | new.keys() if alike else old.keys() & new.keys()
        differ = [name for name in sorted(names) if old.get(name) != new.get(name)]
        texts = (_text(old, differ), _text(new, differ))
        outcome = Outcome.MISMATCH if differ else Outcome.MATCH
        reason = "it may act behind the runs that were compared" if differ else ""
        yield Entry(subject, outcome, *texts, reason, graph="training")


def _text(values: Mapping[str, str], names: Sequence[str]) -> str:
    return ", ".join(f"{name}={values.get(name, _NONE)}" for name in names)
