"""Which session of one leg answers to which of the other, and how far both came.

Sessions of threads are put into one order, since which comes first is left to chance.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TypeVar

from tfgpu.verify.observation import Failure, Observation, Placement, Runs, Session, Step
from tfgpu.verify.verdict import Entry, Outcome

EAGER = "eager context"
_SERVER = "server "
EAGER_OPERATIONS = "eager operations"
FUNCTION = "function"  # of tf.function: its name follows
NOTHING_RAN = "nothing ran in the eager context of either side, which sessions came before"
NO_SESSION = "the program made no session and ran nothing on TensorFlow"
_ENDINGS = {
    "end": "ran to its end",
    "steps": "stopped after the wanted steps",
    "session": "stopped at its first session",
    "exit": "exit status {status}",
    "signal": "killed by signal {status}",
    "timeout": "did not end in time",
    "blocked": "could not be run",
    "unseen": "its end was not seen",
}
_WHOLE = ("end", "steps", "session")
_TITLE = re.compile(r"^session \d+")
_Titled = TypeVar("_Titled", Placement, Step)


def session_pairs(
    before: Observation, after: Observation
) -> list[tuple[Session | None, Session | None]]:
    """Pair sessions in the order of their making, servers too, and eager context with its like.

    Where one leg has sessions and the other only its eager context (a Keras program whose session
    the migration took away), that context answers to the last session.
    """
    left, right = plain_sessions(before), plain_sessions(after)
    left_eager, right_eager = _eager_context(before), _eager_context(after)
    servers = zip_longest(_servers(before), _servers(after))
    # It answers to every session: it is what each of them took away.
    if left and not right and right_eager:
        right, right_eager = [right_eager] * len(left), None
    elif right and not left and left_eager:
        left, left_eager = [left_eager] * len(right), None
    pairs: list[tuple[Session | None, Session | None]] = list(zip_longest(left, right))
    if (left_eager and right_eager) or (not pairs and (left_eager or right_eager)):
        pairs.append((left_eager, right_eager))
    return [*servers, *pairs]


def plain_sessions(leg: Observation) -> list[Session]:
    """Return the sessions of a leg in order, without its servers and its eager context."""
    found = (one for one in leg.sessions if one.title != EAGER)
    # Two threads may note theirs in another order than they made them.
    return sorted((one for one in found if not one.title.startswith(_SERVER)), key=_number)


def _eager_context(leg: Observation) -> Session | None:
    return next((session for session in leg.sessions if session.title == EAGER), None)


def _servers(leg: Observation) -> list[Session]:
    return [session for session in leg.sessions if session.title.startswith(_SERVER)]


def has_eager_context(leg: Observation) -> bool:
    """Tell whether a leg made an eager context, alone or beside its sessions."""
    return _eager_context(leg) is not None


def has_idle_context(before: Observation, after: Observation) -> bool:
    """Tell whether nothing ran in the eager contexts of two legs, and sessions were there before.

    The builder of saved models makes such a context. Its devices are made already, with their
    allocators and threads, so that its config decides on nothing. A context of the second leg that
    takes a GPU which no session had is none: it is what makes that GPU.
    """
    return _is_idle(before) and _is_idle(after) and not _new_gpus(after)


def _is_idle(leg: Observation) -> bool:
    """Tell whether a leg has an eager context behind a session that nothing ran in.

    Where it takes a GPU that no session had, nothing may be made behind it.
    """
    titles = [one.title for one in leg.sessions]
    if EAGER not in titles or runs_eagerly(leg) or leg.turned_eager:
        return False
    number = titles.index(EAGER)
    return number > 0 and (number == len(titles) - 1 or not _new_gpus(leg))


def fail_early(before: Observation, after: Observation) -> bool:
    """Tell whether both legs fail before any session: other set-ups would show no more."""
    return all(one.ended not in ("end", "steps") and not one.sessions for one in (before, after))


def idle_sessions(leg: Observation) -> int:
    """Return how many sessions of a leg, without its servers, nothing ran in."""
    return sum(is_idle(one, leg) for one in plain_sessions(leg))


def is_idle(session: Session, leg: Observation) -> bool:
    """Tell whether nothing ran in a session of a leg."""
    return all(one.title != session.title or one.eager for one in leg.placements)


def _new_gpus(leg: Observation) -> set[tuple[str, str]]:
    """Return the GPUs that the eager context of a leg is the first to make."""
    number = [one.title for one in leg.sessions].index(EAGER)
    found = [{(one.name, one.bus) for one in each.devices if one.bus} for each in leg.sessions]
    return found[number].difference(*found[:number])


def same_runtime(before: Observation, after: Observation) -> bool:
    """Tell whether both legs ran on the same TensorFlow."""
    return before.tensorflow == after.tensorflow


def same_kind(before: Observation, after: Observation) -> bool:
    """Tell whether both legs ran graphs in sessions only, or both ran eager code or functions."""
    return runs_eagerly(before) == runs_eagerly(after)


def same_form(before: Observation, after: Observation) -> bool:
    """Tell whether both legs have the same sessions and functions, so that names say the same."""
    return same_kind(before, after) and _functions(before) == _functions(after)


def _functions(leg: Observation) -> set[str]:
    return {one.title for one in leg.placements if one.title.startswith(FUNCTION)}


def runs_eagerly(leg: Observation) -> bool:
    """Tell whether operations of a leg ran eagerly, or in functions."""
    return any(
        placement.title == EAGER_OPERATIONS or placement.title.startswith(FUNCTION)
        for placement in leg.placements
    )


def same_refusal(before: Observation, after: Observation) -> bool:
    """Tell whether TensorFlow ended both legs with the same exception."""
    mine, theirs = before.failure, after.failure
    if not mine or not theirs or not mine.from_tensorflow or mine.kind != theirs.kind:
        return False
    return same_words(mine, theirs) or not same_runtime(before, after)


def same_words(mine: Failure, theirs: Failure) -> bool:
    """Tell whether two messages are the same but for addresses and line numbers."""
    return _wording(mine.message) == _wording(theirs.message)


def _wording(message: str) -> str:
    return re.sub(r"0x[0-9a-f]+", "0x", re.sub(r"(\.py:|line )\d+", r"\1", message))


def nothing_to_compare(subject: str, what: str, before: Observation, after: Observation) -> Entry:
    """Return the entry for an aspect of which neither leg shows anything; `what` says why."""
    if same_refusal(before, after) and before.failure:
        kind = before.failure.kind
        reason = f"{what}: TensorFlow refuses on both sides"
        return Entry(subject, Outcome.MATCH, kind, kind, reason)
    return Entry(subject, Outcome.INCONCLUSIVE, "", "", what)


def runs_by_label(leg: Observation) -> dict[str, Runs]:
    """Return how often each step of a leg ran, those of one label together."""
    found: dict[str, Runs] = {}
    for one in leg.runs:
        found[one.label] = added_runs(found[one.label], one) if one.label in found else one
    return found


def added_runs(one: Runs, other: Runs) -> Runs:
    """Return two steps as one."""
    more, fed = one.more or other.more, one.fed | other.fed
    return replace(one, count=one.count + other.count, more=more, fed=fed)


def differing_runs(one: Runs, other: Runs) -> tuple[str, str] | None:
    """Return how often two steps ran, None where that may be equally often."""
    if one.count == other.count or (one.more and other.more):
        return None
    if (one.more and one.count < other.count) or (other.more and other.count < one.count):
        return None
    return _text(one), _text(other)


def _text(runs: Runs) -> str:
    return f"{runs.count} times{' or more' if runs.more else ''}"


def ending_text(leg: Observation) -> str:
    """Return in words how a leg ended."""
    if leg.failure:
        return f"{leg.failure.kind}: {leg.failure.message}"
    behind = f", then {leg.behind}" if leg.behind else ""
    return _ENDINGS[leg.ended].format(status=leg.status) + behind


def asked_elsewhere(before: Observation, after: Observation) -> bool:
    """Tell whether two programs ask for different devices for an operation of one name."""
    left, right = (
        {
            (graph.title, one.name): one.requested
            for graph in leg.placements
            for one in graph.operations
        }
        for leg in (before, after)
    )
    return any(left[name] != right[name] for name in left.keys() & right.keys())


def ended_early(before: Observation, after: Observation) -> str:
    """Return in words that one leg only was cut short, "" where that is not so."""
    if (before.ended in _WHOLE) == (after.ended in _WHOLE):
        return ""
    name, leg = ("after", after) if before.ended in _WHOLE else ("before", before)
    how = leg.failure.kind if leg.failure else ending_text(leg)
    return f"{name} did not come so far: {how}"


def in_order_of(before: Observation, after: Observation) -> Observation:
    """Return a leg with its sessions named in the order of the other's.

    Those of threads are told by their devices and by what ran where. Where these are not the same
    on both sides, the leg stays as it is.
    """
    left, right = plain_sessions(before), plain_sessions(after)
    if not any(one.apart for one in left) or len(left) != len(right):
        return after
    open_, titles = list(right), dict[str, str]()
    for mine in left:
        like = _sign(mine, before)
        found = next((one for one in open_ if _sign(one, after) == like), None)
        if found is None:
            return after
        open_.remove(found)
        titles[found.title] = mine.title
    return after if all(old == new for old, new in titles.items()) else _renamed(after, titles)


def _sign(session: Session, leg: Observation) -> object:
    """Return what tells a session; of one of the first thread, which of these it is."""
    if not session.apart:
        return [one.title for one in plain_sessions(leg) if not one.apart].index(session.title)
    ran = sorted(
        (operation.name, operation.device)
        for graph in leg.placements
        if graph.title == session.title
        for operation in graph.operations
    )
    return list(session.devices), ran


def _renamed(leg: Observation, titles: Mapping[str, str]) -> Observation:
    def name(text: str) -> str:
        return _TITLE.sub(lambda found: titles.get(found[0], found[0]), text)

    def runs(one: Runs) -> Runs:
        return replace(one, label=name(one.label))

    def titled(found: list[_Titled]) -> list[_Titled]:
        """Sort those of sessions among themselves."""
        sessions = iter(sorted((one for one in found if one.title in titles.values()), key=_number))
        return [next(sessions) if one.title in titles.values() else one for one in found]

    plain = sorted(
        (replace(one, title=titles[one.title]) for one in leg.sessions if one.title in titles),
        key=_number,
    )
    return replace(
        leg,
        sessions=[*(one for one in leg.sessions if one.title not in titles), *plain],
        placements=titled(
            [
                replace(
                    graph,
                    title=name(graph.title),
                    operations=[replace(one, name=name(one.name)) for one in graph.operations],
                )
                for graph in leg.placements
            ]
        ),
        work=titled(
            [
                replace(step, title=name(step.title), runs=step.runs and runs(step.runs))
                for step in leg.work
            ]
        ),
        runs=[runs(one) for one in leg.runs],
        graphs={name(title): size for title, size in leg.graphs.items()},
        constants=_constants(leg, titles),
    )


def _number(titled: Session | Placement | Step) -> int:
    return int(titled.title.rpartition(" ")[2])


def _constants(leg: Observation, titles: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
    """Return the numbers in graphs, which are those of sessions where each has its own."""
    own = [title for title in leg.constants if title.startswith("graph ")]
    if len(own) != len(titles):
        return leg.constants
    new = {
        old.replace("session", "graph"): one.replace("session", "graph")
        for old, one in titles.items()
    }
    return {new.get(title, title): found for title, found in leg.constants.items()}
