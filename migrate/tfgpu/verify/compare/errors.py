"""Compares errors that did not end a program: of threads, pools, processes, refusals.

What they say and where they were raised differs between two versions of a program; who had them,
and their types, do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tfgpu.verify.compare.pairing import same_kind, same_runtime, same_words
from tfgpu.verify.lists import grouped
from tfgpu.verify.observation import Observation, SideError
from tfgpu.verify.verdict import ERRORS_BESIDE, NONE, Entry, Outcome

_POOL = "pool worker"
_OUT_OF_MEMORY = "ResourceExhaustedError"
_REFUSED = "refused"
# Errors of code, which old results do not bring about, unless one of them is None.
_OF_CODE = (
    "AttributeError",
    "ImportError",
    "IndentationError",
    "ModuleNotFoundError",
    "NameError",
    "SyntaxError",
    "TypeError",
)
_OF_NO_RESULT = "NoneType"
# What both sides have to come to, so that all errors were seen.
_ENDS = ("end", "steps", "session", "exit")

_Errors = Sequence[SideError]


def compare_errors(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield how the errors differ; those of both sides are named, and are no difference."""
    if any(leg.ended not in _ENDS for leg in (before, after)):
        return
    left, right = _by_place(before), _by_place(after)
    for place in sorted(left.keys() | right.keys()):
        yield from _at(place, left.get(place, []), right.get(place, []), before, after)


def refused_alike(entry: Entry) -> Entry:
    """Return what an entry comes to where nobody asked for these GPUs: both sides may want more.

    The session of the one refuses what a list of GPUs of the other does not have.
    """
    is_error = entry.subject.startswith(ERRORS_BESIDE) and NONE not in (entry.before, entry.after)
    if not is_error or entry.outcome is not Outcome.MISMATCH:
        return entry
    reason = "it fails on both sides, with other errors"
    return replace(entry, outcome=Outcome.INCONCLUSIVE, reason=reason)


def _by_place(leg: Observation) -> dict[tuple[str, str, str], list[SideError]]:
    """Return the errors of a leg by what became of them and who had them, each told once."""
    ends = {_told(one) for one in leg.errors if one.how != _REFUSED}
    found = (one for one in leg.errors if one.how != _REFUSED or _told(one) not in ends)
    return grouped(found, lambda one: (one.process, one.how, one.who))


def _told(error: SideError) -> tuple[str, str, str]:
    return error.process, error.failure.kind, error.failure.message


def _at(
    place: tuple[str, str, str],
    mine: _Errors,
    theirs: _Errors,
    before: Observation,
    after: Observation,
) -> Iterator[Entry]:
    process, how, who = place
    texts = _listed(process, mine), _listed(process, theirs)
    source = min((one.failure.source for one in (*theirs, *mine)), default="")
    what = f"{who} {how}".lstrip()

    def entry(outcome: Outcome, reason: str) -> Entry:
        return Entry(
            f"{ERRORS_BESIDE}: {what}", outcome, *texts, reason, source=source, graph=process
        )

    if _same(process, mine, theirs):
        if _other_words(mine, theirs, before, after):
            stale = any(one.stale for one in (*mine, *theirs))
            outcome = Outcome.INCONCLUSIVE if stale else Outcome.MISMATCH
            yield entry(outcome, "the same errors with other messages")
        else:
            reason = f"both sides have it ({texts[0]}); what would come after was not compared"
            yield entry(Outcome.IGNORED, reason)
        return
    kinds = {one.failure.kind for one in mine} ^ {one.failure.kind for one in theirs}
    if how == _REFUSED and who.startswith("tf.config"):
        reason = "one side only, which goes on; what TensorFlow has set since is compared"
        yield entry(Outcome.IGNORED, reason)
    elif how == _REFUSED:
        reason = "TensorFlow refuses this on one side only, or otherwise, and the program goes on"
        yield entry(Outcome.INCONCLUSIVE, reason)
    elif not kinds:
        by_chance = any(one.chance for one in (*mine, *theirs))
        outcome = Outcome.IGNORED if by_chance else Outcome.INCONCLUSIVE
        yield entry(outcome, "both sides have it; how often may depend on time")
    else:
        odd = [[one for one in side if one.failure.kind in kinds] for side in (mine, theirs)]
        stopped = (before if len(mine) < len(theirs) else after).ended == "steps"
        outcome, why = _judged([*odd[0], *odd[1]], stopped)
        yield entry(outcome, f"{_named(*odd)}: {why}")


def _judged(errors: _Errors, stopped: bool) -> tuple[Outcome, str]:
    """Judge errors that one side only has; `stopped` tells that the other one did not run on."""
    if all(one.chance for one in errors):
        return Outcome.INCONCLUSIVE, "whether this happens may depend on time; verify again"
    if stopped:
        reason = "the other run was stopped in its steps, maybe in front of it: --steps 0 tells"
        return Outcome.INCONCLUSIVE, reason
    if all(one.chance or (one.stale and not _is_of_code(one)) for one in errors):
        reason = (
            "runs of a step were left out before this, and their old results may be behind it: "
            "--steps 0 runs them all"
        )
        return Outcome.INCONCLUSIVE, reason
    return Outcome.MISMATCH, "the other side does not have it"


def _is_of_code(error: SideError) -> bool:
    return error.failure.kind in _OF_CODE and _OF_NO_RESULT not in error.failure.message


def _named(mine: _Errors, theirs: _Errors) -> str:
    """Return in words which errors one side only has."""
    return "; ".join(
        f"only {name}: {shown.kind}{shown.message and f' ({shown.message})'}"
        for name, side in (("before", mine), ("after", theirs))
        for shown in [one.failure for one in side][:1]
    )


def _same(process: str, mine: _Errors, theirs: _Errors) -> bool:
    """Tell whether both sides have the same errors; which workers of a pool fail is chance."""
    kinds = [sorted(one.failure.kind for one in side) for side in (mine, theirs)]
    if process.endswith(_POOL):
        return set(kinds[0]) == set(kinds[1])
    return kinds[0] == kinds[1]


def _other_words(mine: _Errors, theirs: _Errors, before: Observation, after: Observation) -> bool:
    """Tell whether TensorFlow says something else on the other side, where it would not have to."""
    if not same_runtime(before, after) or not same_kind(before, after):
        return False
    left, right = (
        [one.failure for one in side if one.failure.from_tensorflow and not one.chance]
        for side in (mine, theirs)
    )
    return any(
        one.kind != _OUT_OF_MEMORY and not any(same_words(one, other) for other in others)
        for some, others in ((left, right), (right, left))
        for one in some
    )


def _listed(process: str, errors: _Errors) -> str:
    kinds = [one.failure.kind for one in errors]
    counted = [
        kind if process.endswith(_POOL) or kinds.count(kind) == 1 else f"{kinds.count(kind)} {kind}"
        for kind in dict.fromkeys(sorted(kinds))
    ]
    return ", ".join(counted) or NONE
