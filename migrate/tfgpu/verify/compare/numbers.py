"""Compares the numbers of two programs, which further legs computed on the CPU.

A variable has the values that it took, a result those that the program fetched at one place. Forms
of a program look at them at other moments, so that one side may have values between those of the
other; the values that both have come in the same order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tfgpu.verify.compare.pairing import ending_text, same_form
from tfgpu.verify.observation import Observation, Values
from tfgpu.verify.verdict import Entry, Outcome

Row = Sequence[float]

# How far apart two values may be, as a part of how far they came from their first ones, and of
# their own size: of a variable, whose changes count, and of a result.
_OF_CHANGE = 0.03
_OF_VARIABLE = 1e-6
_OF_RESULT = 2e-3
_SMALLEST = 1e-7

SUBJECT = "numbers"


def compare_numbers(before: Observation, after: Observation) -> Entry:
    """Return what the numbers of two legs come to."""
    if not is_computed(before, after):
        ends = f"before: {ending_text(before)}; after: {ending_text(after)}"
        reason = f"they could not be computed on the CPU ({ends})"
        return Entry(SUBJECT, Outcome.IGNORED, "", "", reason)
    whole = before.whole and after.whole
    variables = _pairs(before, after, "variable")
    for mine, theirs in variables:
        wrong = _unmatched(mine, theirs, whole)
        if wrong is None:
            continue
        texts = _text(wrong), _text(theirs[0])
        if not any(_near(wrong, wrong.rows[0], one.rows[0]) for one in theirs):
            reason = f"variables {wrong.shape} begin with other values: another initializer?"
            return Entry(SUBJECT, Outcome.INCONCLUSIVE, *texts, reason)
        reason = f"variables {wrong.shape} have other values after the same steps"
        return Entry(SUBJECT, Outcome.MISMATCH, *texts, reason)
    trained = sum(len(one.rows) > 1 for mine, _ in variables for one in mine)
    results = _pairs(before, after, "result")
    for mine, theirs in results:
        wrong = _unmatched(mine, theirs, whole=False)
        if wrong:
            texts = _text(wrong), _text(theirs[0])
            reason = f"results {wrong.shape} differ"
            sure = not trained or same_form(before, after)
            outcome = Outcome.MISMATCH if sure else Outcome.INCONCLUSIVE
            return Entry(SUBJECT, outcome, *texts, reason)
    saved = _pairs(before, after, "saved")
    for mine, theirs in saved:
        wrong = _unmatched(mine, theirs, whole=False)
        if wrong:
            texts = _text(wrong), _text(theirs[0])
            reason = f"checkpoints hold other values of variables {wrong.shape}"
            return Entry(SUBJECT, Outcome.INCONCLUSIVE, *texts, reason)
    if not variables and not results:
        reason = "the two sides have no variable and no result of the same shape to compare"
        return Entry(SUBJECT, Outcome.IGNORED, "", "", reason)
    text = f"{sum(len(mine) for mine, _ in variables)} variables, {len(results)} shapes of results"
    return Entry(SUBJECT, Outcome.MATCH, text, text, "computed on the CPU, in further runs")


def is_computed(*legs: Observation) -> bool:
    """Tell whether legs came to their ends with the numbers computed."""
    return all(leg.ended in ("end", "steps") for leg in legs)


def _pairs(
    before: Observation, after: Observation, kind: str
) -> list[tuple[list[Values], list[Values]]]:
    """Return what both sides have of each shape, those first of which there are fewer."""
    left, right = _by_shape(before, kind), _by_shape(after, kind)
    found = [(left[shape], right[shape]) for shape in left if shape in right]
    return [pair if len(pair[0]) <= len(pair[1]) else pair[::-1] for pair in found]


def _by_shape(leg: Observation, kind: str) -> dict[str, list[Values]]:
    found: dict[str, list[Values]] = {}
    for one in leg.values:
        if one.kind == kind:
            found.setdefault(one.shape, []).append(one)
    return found


def _unmatched(mine: Sequence[Values], theirs: Sequence[Values], whole: bool) -> Values | None:
    """Return the first values that no others are like; each of those stands for one only."""
    left = list(theirs)
    for one in mine:
        like = next((other for other in left if _alike(one, other, whole)), None)
        if like is None:
            return one
        left.remove(like)
    return None


def _alike(one: Values, other: Values, whole: bool) -> bool:
    """Tell whether the shorter one's values come in the other one, in their order."""
    short, long = sorted((one.rows, other.rows), key=len)
    if len(short) == 1 and len(long) > 1 and one.kind == "variable":
        return False
    if whole and not _near(one, short[-1], long[-1], (short[0], long[0])):
        return False
    at = iter(long)
    first = short[0], long[0]
    return all(any(_near(one, row, each, first) for each in at) for row in short)


def _near(kind: Values, mine: Row, theirs: Row, first: tuple[Row, Row] | None = None) -> bool:
    """Tell whether two values are alike, where the first ones of their sequences were these."""
    if kind.shape.startswith("int"):
        return list(mine) == list(theirs)
    size = max(_norm(mine), _norm(theirs))
    change = min(_distance(mine, first[0]), _distance(theirs, first[1])) if first else 0.0
    own = _OF_VARIABLE if kind.kind == "variable" else _OF_RESULT
    if not math.isfinite(size):
        return list(map(math.isfinite, mine)) == list(map(math.isfinite, theirs))
    return _distance(mine, theirs) <= _OF_CHANGE * change + own * size + _SMALLEST


def _norm(row: Row) -> float:
    return math.hypot(*row)


def _distance(mine: Row, theirs: Row) -> float:
    return math.dist(mine, theirs) if len(mine) == len(theirs) else math.inf


def _text(values: Values, most: int = 3) -> str:
    rows: Iterator[str] = (_row(row) for row in values.rows[:most])
    return ", ".join(rows) + (", ..." if len(values.rows) > most else "")


def _row(row: Row, most: int = 2) -> str:
    return "[" + " ".join(f"{one:.4g}" for one in row[:most]) + (" ...]" if row[most:] else "]")
