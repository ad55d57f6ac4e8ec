"""Compares the files of two legs: those written, what was saved when, what those read hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath

from tfgpu.verify.compare.pairing import same_form
from tfgpu.verify.files import without_numbers
from tfgpu.verify.lists import first_of, grouped
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Entry, Outcome

SUBJECT = "files"

_OUTSIDE = "/"
# Names told in an entry.
_MOST_NAMES = 4


def compare_files(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield how the files differ that two legs wrote, or that they are the same."""
    legs = (before, after)
    if any(leg.reached or leg.ended in ("session", "blocked", "timeout") for leg in legs):
        return
    sure = same_form(before, after) and not after.migrated
    outcome = Outcome.MISMATCH if sure else Outcome.INCONCLUSIVE
    found = [*_names(before, after, outcome), *_saves(before, after, outcome)]
    if not found and before.files:
        text = f"{len(before.files)} files"
        found = [Entry(SUBJECT, Outcome.MATCH, text, text)]
    yield from found


def _names(before: Observation, after: Observation, outcome: Outcome) -> Iterator[Entry]:
    left, right = set(before.files), set(after.files)
    if before.steps != after.steps or before.ended != after.ended:
        left, right = ({without_numbers(one) for one in side} for side in (left, right))
    if not same_form(before, after):
        left, right = ({one for one in side if not _is_graph(one)} for side in (left, right))
    if left == right:
        return
    texts = _listed(left - right), _listed(right - left)
    cut = [
        name
        for name, leg, missing in (("before", before, right - left), ("after", after, left - right))
        if leg.ended == "steps" and missing
    ]
    if cut and before.ended != after.ended:
        reason = (
            f"the run {cut[0]} was stopped in its steps, maybe in front of these: compare to the "
            "end with --steps 0"
        )
        yield Entry(SUBJECT, Outcome.INCONCLUSIVE, *texts, reason)
        return
    yield Entry(SUBJECT, outcome, *texts, "the two sides do not write the same files")


def compare_read(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield the files with other contents on the two sides, of which each reads its own.

    Those of one name as seen from the scripts are told, and what one side only reads where the
    other one reads such a file of another name instead.
    """
    mine, theirs = before.read, after.read
    differ = [name for name in sorted(mine.keys() & theirs.keys()) if mine[name] != theirs[name]]
    left, right = (_alone(mine, theirs), _alone(theirs, mine))
    for kind in sorted(left.keys() & right.keys()):
        if {mine[name] for name in left[kind]} != {theirs[name] for name in right[kind]}:
            texts = (_listed(left[kind]), _listed(right[kind]))
            told = f"{texts[0]} before and {texts[1]} after"
            differ += [] if told in differ else [told]
    if differ:
        reason = (
            f"other contents are read on the two sides: {first_of(differ, _MOST_NAMES, '; ')}; "
            "where nothing else differs, no evidence shows what they do: leave them as they were, "
            "and change them apart from the migration"
        )
        old, new = "as before the change", "changed"
        yield Entry("files that are read", Outcome.INCONCLUSIVE, old, new, reason)


def _alone(mine: Mapping[str, str], theirs: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the files that one side only reads, by the ends of their names.

    Those outside of the programs' folders are one kind, too, whatever they are called.
    """
    names = sorted(mine.keys() - theirs.keys())
    outside = [name for name in names if PurePath(name).is_absolute()]
    found = grouped(names, lambda name: PurePath(name).suffix)
    return {**found, _OUTSIDE: outside} if outside else found


def _is_graph(name: str) -> bool:
    """Tell whether a file is the graph beside a checkpoint, which only a session has."""
    return name.endswith(".meta")


def _listed(names: Iterable[str]) -> str:
    return first_of(sorted(names), _MOST_NAMES) or "none"


def _saves(before: Observation, after: Observation, outcome: Outcome) -> Iterator[Entry]:
    """Yield what is saved behind other steps, and checkpoints that hold something else."""
    left, right = (
        grouped(leg.saves, lambda one: without_numbers(one.name)) for leg in (before, after)
    )
    for name in sorted(left.keys() & right.keys()):
        mine, theirs = left[name], right[name]
        one, other = Counter(mine[-1].variables), Counter(theirs[-1].variables)
        if one and other and one != other:
            texts = _contents(one - other), _contents(other - one)
            yield Entry(SUBJECT, outcome, *texts, f"{name} holds other variables")
        number = _counted(before, after)
        if number is None or any(one.behind is None for one in (*mine, *theirs)):
            continue
        exact = before.progress[number] == after.progress[number]
        told = [
            [_when(one.behind[number], leg, number, exact) for one in saves if one.behind]
            for saves, leg in ((mine, before), (theirs, after))
        ]
        if (told[0][0], told[0][-1]) != (told[1][0], told[1][-1]) or (exact and told[0] != told[1]):
            texts = _in_turn(told[0]), _in_turn(told[1])
            yield Entry(SUBJECT, outcome, *texts, f"{name} is saved behind other steps")


def _when(count: int, leg: Observation, number: int, exact: bool) -> str:
    """Return how far a leg was, as a number of steps where both sides have as many."""
    if not count:
        return "before the first step"
    if exact:
        return f"behind {count} steps"
    return "behind the last step" if count == leg.progress[number] else "between steps"


def _in_turn(told: Sequence[str]) -> str:
    return ", ".join(told[:_MOST_NAMES]) + (", ..." if len(told) > _MOST_NAMES else "")


def _contents(variables: Counter[str]) -> str:
    return _listed({f"{count} of {one}" for one, count in variables.items()})


def _counted(before: Observation, after: Observation) -> int | None:
    """Return what tells how far both legs were: steps with gradients (0), all steps (1), None."""
    if all(leg.progress[0] for leg in (before, after)):
        return 0
    return 1 if same_form(before, after) else None
