"""What a migration takes for granted about a run, and whether it held.

`until`, `expression`, `callers`, `field` and `within` are given where the kind asks for them. Places are `file:line`,
where a statement begins, the file as seen from the program's folder (or a whole path).

| kind | holds where |
|---|---|
| no-session-before | no session was made before `place` is reached |
| no-eager-context-before | the eager context was not initialised before `place` is reached |
| graph-mode | TensorFlow does not run eagerly by default when `place` is reached |
| no-environment-write-between | no variable that TensorFlow or CUDA reads was changed between `place` and `until` |
| no-fork-between | the process did not fork between `place` and `until` |
| no-fork-behind | the process did not fork once `place` had been reached |
| value-unchanged | `expression` has the same value at `place` and at `until` |
| session-behind | a session was made once `place` had been reached |
| value-true | `expression` is true whenever `place` is reached |
| value-same | `expression` has the same value whenever `place` is reached |
| never-behind | `place` was not reached once `until` had been (the same place: it was reached once) |
| known-callers | the function that begins at `place` was called by `callers` only, and `callers` call no other one |
| value-in-range | no session or server has a config whose `field` does not lie `within` two values, both included |

A place that is about a session ends where that session is made: in what its statement runs first, and at the calls
`sessions` of other functions; with `in_front` it ends where the statement begins, and so it does where a place is about none.

An assumption holds when its last place (of session-behind: a session) was reached and nothing spoke against it, at any time.
never-behind and no-fork-behind hold in a run that came to its end; of one that was cut off nobody knows what would have come.
"""  # noqa: E501 - a table

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BEFORE = (
    "no-session-before", "no-eager-context-before", "graph-mode", "known-callers",
    "value-in-range", "value-true", "value-same", "value-set", "session-behind", "no-fork-behind",
)  # fmt: skip
NEVER_BEHIND = "never-behind"
# What may still fail behind all that a run came to.
_TO_THE_END = (NEVER_BEHIND, "no-fork-behind")
BETWEEN = ("no-environment-write-between", "no-fork-between", "value-unchanged", NEVER_BEHIND)
_OF_VALUES = ("value-unchanged", "value-true", "value-same", "value-set")

HELD = "held"
FAILED = "failed"
NOT_REACHED = "not reached"
UNKNOWN = "unknown"

# How a run ends that would have gone on: stopped behind the wanted runs of a step, or out of time.
_CUT_OFF = {
    "steps": "the run was stopped before its end, to which --steps 0 runs it",
    "session": "the run was stopped in front of its first step, as --until session asks",
    "timeout": "the run did not come to its end in time",
    "signal": "the run was killed before its end",
}


@dataclass(frozen=True, slots=True)
class Assumption:
    """One assumption; the module says what its parts mean."""

    id: str
    kind: str
    place: str
    text: str
    until: str = ""
    expression: str = ""
    callers: tuple[Mapping[str, Any], ...] = ()
    field: str = ""
    within: tuple[float, float] = (0, 0)
    sessions: tuple[Mapping[str, Any], ...] = ()
    in_front: bool = False

    def refuted_by(self, config: Mapping[str, str]) -> str:
        """Return the value of a session's config that an assumption on values excludes, or ""."""
        value = config.get(self.field, "") if self.field else ""
        least, most = self.within
        return "" if not value or least <= float(value) <= most else value

    def __post_init__(self) -> None:
        if self.kind not in (*BEFORE, *BETWEEN):
            raise ValueError(f"there is no assumption of the kind {self.kind!r}")
        if (self.kind in BETWEEN) != bool(self.until):
            raise ValueError(f"{self.kind}: `until` is for what lies between two places")
        if (self.kind in _OF_VALUES) != bool(self.expression):
            raise ValueError(f"{self.kind}: `expression` is for {', '.join(_OF_VALUES)}")
        if (self.kind == "value-in-range") != bool(self.field):
            raise ValueError(f"{self.kind}: `field` is for value-in-range")
        for place in filter(None, (self.place, self.until)):
            if not place.rpartition(":")[2].isdigit():
                raise ValueError(f"{place!r} is no place: file:line")


@dataclass(frozen=True, slots=True)
class Checked:
    """An assumption with what became of it: HELD, FAILED, NOT_REACHED or UNKNOWN, and why."""

    assumption: Assumption
    status: str
    detail: str = ""


def for_job(assumptions: Sequence[Assumption], root: Path) -> list[dict[str, Any]]:
    """Return assumptions as the recorder takes them, with whole paths."""
    return [
        {
            "id": one.id,
            "kind": one.kind,
            "place": _whole(one.place, root),
            "until": _whole(one.until, root) if one.until else "",
            "expression": one.expression,
            "callers": [{**each, "place": _whole(each["place"], root)} for each in one.callers],
            "sessions": [{**each, "place": _whole(each["place"], root)} for each in one.sessions],
            "in_front": one.in_front,
        }
        for one in assumptions
    ]


def _whole(place: str, root: Path) -> str:
    path, _, line = place.rpartition(":")
    return f"{root / path}:{line}"


def checked(
    assumptions: Sequence[Assumption],
    told: Iterable[Mapping[str, Any]],
    configs: Collection[Mapping[str, str]],
    ended: str,
) -> list[Checked]:
    """Return what became of each assumption.

    `told` are the lines of the record about them, `configs` those of all sessions and servers, and
    `ended` is how the run did.
    """
    found: dict[str, tuple[str, str]] = {}
    for line in told:
        if found.get(line["id"], ("", ""))[0] != FAILED:
            found[line["id"]] = (line["status"], line["detail"])
    for one in assumptions:
        for value in filter(None, map(one.refuted_by, configs)):
            found[one.id] = (FAILED, f"a session has {value}")
    return [Checked(one, *_seen(one, found, ended)) for one in assumptions]


def _seen(one: Assumption, found: Mapping[str, tuple[str, str]], ended: str) -> tuple[str, str]:
    """Return what became of an assumption in a run that ended so."""
    status, detail = found.get(one.id) or _untold(one)
    if status == HELD and one.kind in _TO_THE_END and ended in _CUT_OFF:
        return UNKNOWN, _CUT_OFF[ended]
    return status, detail


def _untold(one: Assumption) -> tuple[str, str]:
    """Return what became of an assumption that the record of a run says nothing of."""
    if one.kind == "session-behind":
        return NOT_REACHED, "no session was made behind it: --args may lead to one"
    if one.kind != NEVER_BEHIND:
        way = "from the first place to the second one" if one.until else "there"
        return NOT_REACHED, f"no process came {way}: --args may lead there"
    return HELD, ""
