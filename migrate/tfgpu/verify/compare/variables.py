"""Compares the variables of two forms of a program: which shapes are on which devices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tfgpu.verify.compare.steps import OF_UPDATE, VARIABLES, counted
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Entry, Outcome


def compare_variables(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield what the variables of two forms have in common, and what not."""
    left, right = _made(before), _made(after)
    for of_optimizer, shapes in sorted(left.keys() | right.keys()):
        mine, theirs = (side.get((of_optimizer, shapes), []) for side in (left, right))
        texts = counted(Counter(mine)), counted(Counter(theirs))
        subject = f"variables {shapes}{' of the optimizer' if of_optimizer else ''}"
        outcome, reason, form = Outcome.MATCH, "", False
        if Counter(mine) == Counter(theirs):
            if mine != theirs and not of_optimizer:
                outcome = Outcome.INCONCLUSIVE
                reason = "these devices get them in another order: are two of them swapped?"
        elif len(mine) == len(theirs):
            outcome, reason = Outcome.MISMATCH, "as many variables, on other devices"
        elif shapes.endswith("[]"):
            outcome, reason = _count_of_steps(mine, theirs, before, after)
        else:
            outcome = Outcome.MISMATCH
            reason = f"{_number(mine)} of them before, {_number(theirs)} after"
            reason += ": another optimizer, or another form of it" if of_optimizer else ""
            form = of_optimizer and not (mine and theirs)
        yield Entry(subject, outcome, *texts, reason, form=form)


def _number(devices: Sequence[str]) -> str:
    return str(len(devices) or "none")


def _count_of_steps(
    mine: Sequence[str], theirs: Sequence[str], before: Observation, after: Observation
) -> tuple[Outcome, str]:
    """Judge a single number that only one side has as a variable of the program's own."""
    fewer = before if len(mine) < len(theirs) else after
    if any(
        item.kind in VARIABLES and item.role == OF_UPDATE and item.shapes.endswith("[]")
        for step in fewer.work
        for item in step.items
    ):
        return Outcome.IGNORED, "an optimizer of one side keeps such numbers itself"
    return Outcome.INCONCLUSIVE, "one side keeps another number of single numbers"


def _made(leg: Observation) -> dict[tuple[bool, str], list[str]]:
    """Return the devices of variables in the order of their making, those of an optimizer apart.

    What the library keeps for itself (sums of a metric, the steps of an optimizer) is left out.
    """
    found: dict[tuple[bool, str], list[str]] = {}
    for step in leg.work:
        for item in step.items:
            if item.kind not in VARIABLES or item.role in ("metric", "data", "random"):
                continue
            of_optimizer = item.role == OF_UPDATE
            if of_optimizer and item.shapes.endswith("[]"):
                continue
            found.setdefault((of_optimizer, item.shapes), []).extend([item.device] * item.count)
    return found
