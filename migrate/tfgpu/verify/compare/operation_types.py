"""Compares how many operations of each type two legs of one form have, and with what shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tfgpu.verify.compare.steps import ARITHMETIC, keys_of, without_devices, works_of
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Entry, Outcome


def compare_shapes(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield operations that have other shapes, where both sides have the same names."""
    keys = keys_of(before, after)
    left, right = (
        sum(
            (without_devices(one.own + one.heavy_gradients) for one in works_of(leg, keys)),
            Counter(),
        )
        for leg in (before, after)
    )
    for kind in sorted({kind for kind, _ in (left - right) + (right - left)}):
        rows = [
            {shapes: count for (name, shapes), count in (one - other).items() if name == kind}
            for one, other in ((left, right), (right, left))
        ]
        texts = [", ".join(f"{n} of {shapes}" for shapes, n in row.items()) for row in rows]
        if all(rows) and sum(rows[0].values()) == sum(rows[1].values()):
            reason = "other shapes on one side"
            yield Entry(f"shapes of {kind}", Outcome.MISMATCH, texts[0], texts[1], reason)


def compare_kinds(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield types of operations of which graphs of one side have more.

    Two versions of TensorFlow name operations differently, and spell sums, means and the like
    otherwise: how many of those there are says nothing.
    """
    left, right = (
        Counter(
            key[0]
            for one in works_of(leg, keys_of(before, after))
            if not one.eager
            for key, _ in one.own.elements()
            if key[0] not in ARITHMETIC
        )
        for leg in (before, after)
    )
    for kind in sorted(left.keys() | right.keys()):
        if left[kind] != right[kind]:
            texts = f"{left[kind]} operations", f"{right[kind]} operations"
            reason = "one side has more of them, whatever each version of TensorFlow adds"
            yield Entry(kind, Outcome.INCONCLUSIVE, *texts, reason)
