"""Folds what follows from one side's end before the other's: the end itself is the finding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tfgpu.verify.compare.pairing import ended_early
from tfgpu.verify.compare.settings import ALL
from tfgpu.verify.lists import first_of
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Entry, Outcome

# How an entry says that a side has nothing.
_NOTHING = frozenset(
    ["", "none", "nothing", "not set", "did not run", "untouched", "0", "0 operations"]
)
# What grows while a program runs.
_SIZES = ("results of operations", "peak of use", "peak (MiB)")
_THREADS = "threads between operations"
_WHOLE_LEG = ("process", "training")
_FILES = "files"
_MOST_NAMES = 3


def without_consequences(
    aspect: str, entries: Sequence[Entry], before: Observation, after: Observation
) -> list[Entry]:
    """Return the entries of an aspect, those as one that say what a side did not come to."""
    early = ended_early(before, after)
    if not early:
        return list(entries)
    is_first = early.startswith("before")

    def sides(entry: Entry) -> tuple[str, str]:
        """Return the text of the side that ended early, and that of the other one."""
        return (entry.before, entry.after) if is_first else (entry.after, entry.before)

    found = [one for one in entries if _follows(aspect, one, early, sides)]
    # Where TensorFlow raised it, settings that differ may be behind it.
    reason = next((one.reason for one in found if one.reason.startswith(ALL)), early)
    if len(found) <= 1:
        return [replace(one, reason=reason) if one in found else one for one in entries]
    names = f"{len(found)} that only this side has: {first_of(_titles(found), _MOST_NAMES, '; ')}"
    texts = ("none of these", names) if is_first else (names, "none of these")
    rest = [one for one in entries if one not in found]
    source = next((one.source for one in found if one.source), "")
    return [*rest, Entry("what came later", Outcome.MISMATCH, *texts, reason, source=source)]


def _titles(entries: Sequence[Entry]) -> list[str]:
    return list(dict.fromkeys(one.title for one in entries))


def _follows(
    aspect: str, entry: Entry, early: str, sides: Callable[[Entry], tuple[str, str]]
) -> bool:
    """Tell whether a difference is no more than that one side ended before it came so far."""
    mine, theirs = sides(entry)
    if entry.outcome is not Outcome.MISMATCH:
        return False
    if entry.subject in _SIZES:
        return _number(mine) < _number(theirs)
    if entry.subject == _THREADS:
        return True
    if mine not in _NOTHING or theirs in _NOTHING:
        return False
    if aspect in ("devices", "memory"):  # else a setting is behind it
        return entry.reason == early
    if aspect == "configuration":
        return entry.graph in _WHOLE_LEG
    return aspect == "placement" or entry.subject == _FILES


def _number(text: str) -> float:
    return float(text.split(maxsplit=1)[0])
