"""Compares the numbers of two programs, which further legs compute on the CPU.

They have the own set-up. Where they differ, they are run once more with the same first numbers in
all variables of one shape: these may be made in another order, or too late to tell them apart. The
first program is run once more, too: numbers that do not come out alike of one program say nothing
about another one.

A variable has the values that it took, a result those that the program fetched at one place. Forms
of a program look at them at other moments, so that one side may have values between those of the
other; the values that both have come in the same order. Variables are paired by shape and values.
Two programs of one form with the same names of variables agree name by name, too; else one variable
may stand in the place of another, which is inconclusive.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tfgpu.verify.compare.configuration import CONSTANTS
from tfgpu.verify.compare.pairing import ending_text, same_form
from tfgpu.verify.lists import grouped
from tfgpu.verify.observation import Observation, Values
from tfgpu.verify.on_gpus import Observed, Pair, Runner, run_each, with_surroundings
from tfgpu.verify.recorder.numbers import LATE
from tfgpu.verify.verdict import Comparison, Entry, Outcome

_IN_ANOTHER_ORDER = "variables of one shape are made in another order, or one is in another's place"
_DRAWN_IN_ANOTHER = (
    "random tensors of one shape are drawn in another order, or one is in another's place"
)
_CONSTANTS = "one side has more constants, and no number shows what they do:"
_NOT_TOLD_APART = "variables of one shape that a function makes could not be told apart"
Row = Sequence[float]

# How far apart two values may be, as a part of how far they came from their first ones, and of
# their own size: of a variable, whose changes count, and of a result.
_OF_CHANGE = 0.03
_OF_VARIABLE = 1e-6
_OF_RESULT = 2e-3
_SMALLEST = 1e-7

SUBJECT = "numbers"
_NO_MATCH = (Outcome.MISMATCH, Outcome.INCONCLUSIVE)


def with_numbers(own: Pair) -> Pair:
    """Return the pair of legs that compute numbers in the own set-up."""
    return replace(
        with_surroundings(own, numbers=True),
        scenario=replace(own.scenario, name=SUBJECT, asked=False),
    )


def judged(pair: Pair | None, observed: Sequence[Observed], work: Path) -> Entry:
    """Return what the numbers come to; the legs of the pair are the last ones, if they ran."""
    if pair is None:
        return _left_out("they are compared on simulated GPUs only, without --quick and --until")
    found = observed[-1]
    if found.scenario is not pair.scenario:
        return _left_out("the programs come to no step")
    legs = pair.legs
    entry = compare_numbers(found.before, found.after)
    apart = {found.before.apart, found.after.apart}
    if entry.outcome is not Outcome.MATCH and any(apart) and is_computed(found.before, found.after):
        legs = with_surroundings(pair, alike=True).legs
        before, after = run_each(pair.scenario, legs, Runner(work, forks=False), f"{SUBJECT}-alike")
        plain = compare_numbers(before, after)
        if plain.outcome is not Outcome.MATCH:
            found, entry = Observed(pair.scenario, before, after), plain
        elif LATE in apart:
            return replace(plain, reason=f"{plain.reason}; {_NOT_TOLD_APART}")
        else:
            legs = pair.legs
            entry = replace(entry, outcome=Outcome.INCONCLUSIVE, reason=_IN_ANOTHER_ORDER)
    elif entry.outcome is Outcome.MATCH and _may_be_swapped(found):
        legs = with_surroundings(pair, drawn=True).legs
        before, after = run_each(pair.scenario, legs, Runner(work, forks=False), f"{SUBJECT}-drawn")
        drawn = compare_numbers(before, after)
        if drawn.outcome in _NO_MATCH:
            found = Observed(pair.scenario, before, after)
            entry = replace(drawn, outcome=Outcome.INCONCLUSIVE, reason=_DRAWN_IN_ANOTHER)
    if entry.outcome in _NO_MATCH:
        # A new process: a fork would share the order of Python's sets with those that have run.
        again = run_each(pair.scenario, legs[:1], Runner(work, forks=False), SUBJECT)[0]
        if compare_numbers(found.before, again).outcome in _NO_MATCH:
            return _left_out("those of the program before differ from run to run")
        if found.after.migrated:
            return replace(entry, outcome=Outcome.INCONCLUSIVE)
    return entry


def _may_be_swapped(found: Observed) -> bool:
    """Tell whether one random tensor may stand in for another, in a program written by hand."""
    written = not found.after.migrated and same_form(found.before, found.after)
    return written and (found.before.drawn or found.after.drawn)


def _left_out(reason: str) -> Entry:
    return Entry(SUBJECT, Outcome.IGNORED, "", "", reason)


def added(compared: Sequence[Comparison], entry: Entry) -> list[Comparison]:
    """Return comparisons with the numbers as a part of what the own set-up comes to.

    Where none were computed, nothing shows what other constants of a program written by hand do.
    """
    own = compared[0]
    unknown = entry.outcome is Outcome.IGNORED and not own.after.migrated
    aspects = []
    for aspect in own.aspects:
        entries = [
            replace(one, outcome=Outcome.INCONCLUSIVE, reason=f"{_CONSTANTS} {entry.reason}")
            if unknown and one.subject == CONSTANTS and one.outcome is Outcome.IGNORED
            else one
            for one in aspect.entries
        ]
        entries += [entry] if aspect.name == "result" else []
        aspects.append(replace(aspect, entries=entries))
    return [replace(own, aspects=aspects), *compared[1:]]


def compare_numbers(before: Observation, after: Observation) -> Entry:
    """Return what the numbers of two legs come to."""
    if not is_computed(before, after):
        ends = f"before: {ending_text(before)}; after: {ending_text(after)}"
        return _left_out(f"they could not be computed on the CPU ({ends})")
    variables, results, saved = (
        _pairs(before, after, kind) for kind in ("variable", "result", "saved")
    )
    is_trained = any(len(one.rows) > 1 for mine, _ in variables for one in mine)
    for mine, theirs in (*variables, *results, *saved):
        whole = mine[0].kind == "variable" and before.whole and after.whole
        wrong = _unmatched(mine, theirs, whole)
        if wrong:
            sure = not is_trained or same_form(before, after)
            return Entry(SUBJECT, *_difference(wrong, theirs, sure))
        if mine[0].kind == "variable" and same_form(before, after):
            for one, other in _by_name(mine, theirs):
                if not _alike((one, other), whole):
                    texts = _text(one), _text(other)
                    return Entry(SUBJECT, Outcome.INCONCLUSIVE, *texts, _IN_ANOTHER_ORDER)
    if not variables and not results:
        return _left_out(
            "the two sides have no variable and no result of the same shape to compare"
        )
    text = f"{sum(len(mine) for mine, _ in variables)} variables, {len(results)} shapes of results"
    return Entry(SUBJECT, Outcome.MATCH, text, text, "computed on the CPU, in further runs")


def _difference(
    wrong: Values, theirs: Sequence[Values], sure: bool
) -> tuple[Outcome, str, str, str]:
    """Return what it comes to that nothing of the others is like some values, with both, and why.

    `sure` tells that results are those of the same numbers.
    """
    if wrong.kind == "saved":
        outcome = Outcome.INCONCLUSIVE
        reason = f"checkpoints hold other values of variables {wrong.shape}"
    elif wrong.kind == "result":
        outcome = Outcome.MISMATCH if sure else Outcome.INCONCLUSIVE
        reason = f"results {wrong.shape} differ"
    elif any(_near(wrong, wrong.rows[0], one.rows[0]) for one in theirs):
        outcome = Outcome.MISMATCH
        reason = f"variables {wrong.shape} have other values after the same steps"
    else:
        outcome = Outcome.INCONCLUSIVE
        reason = f"variables {wrong.shape} begin with other values: another initializer?"
    return outcome, _text(wrong), _text(theirs[0]), reason


def is_computed(*legs: Observation) -> bool:
    """Tell whether legs came to their ends with the numbers computed."""
    return all(leg.ended in ("end", "steps") for leg in legs)


def _pairs(
    before: Observation, after: Observation, kind: str
) -> list[tuple[list[Values], list[Values]]]:
    """Return what both sides have of each shape, those first of which there are fewer."""
    left, right = (
        grouped((one for one in leg.values if one.kind == kind), lambda one: one.shape)
        for leg in (before, after)
    )
    found = [(left[shape], right[shape]) for shape in left if shape in right]
    return [pair if len(pair[0]) <= len(pair[1]) else pair[::-1] for pair in found]


def _unmatched(mine: Sequence[Values], theirs: Sequence[Values], whole: bool) -> Values | None:
    """Return the first values that no others are like; each of those stands for one only."""
    left = list(theirs)
    for one in mine:
        like = next((other for other in left if _alike((one, other), whole)), None)
        if like is None:
            return one
        left.remove(like)
    return None


def _by_name(mine: Sequence[Values], theirs: Sequence[Values]) -> Iterator[tuple[Values, Values]]:
    """Yield the values of each name, where both sides have the same names."""
    named = {one.name: one for one in theirs}
    if named.keys() == {one.name for one in mine}:
        yield from ((one, named[one.name]) for one in mine)


def _alike(pair: tuple[Values, Values], whole: bool) -> bool:
    """Tell whether the shorter one's values come in the other one, in their order."""
    one, other = pair
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
    return ", ".join(map(_row, values.rows[:most])) + (", ..." if len(values.rows) > most else "")


def _row(row: Row, most: int = 2) -> str:
    return "[" + " ".join(f"{one:.4g}" for one in row[:most]) + (" ...]" if row[most:] else "]")
