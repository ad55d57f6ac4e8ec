"""Which session of one leg answers to which of the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from tfgpu.verify.observation import Failure, Observation, Session
from tfgpu.verify.verdict import Entry, Outcome

EAGER = "eager context"
_SERVER = "server "
EAGER_OPERATIONS = "eager operations"
FUNCTION = "function"  # of tf.function: its name follows
NO_SESSION = "the program made no session and ran nothing on TensorFlow"


def session_pairs(
    before: Observation, after: Observation
) -> list[tuple[Session | None, Session | None]]:
    """Pair sessions in the order of their making, servers too, and eager context with its like.

    Where one leg has sessions and the other only its eager context (a Keras program whose session
    the migration took away), that context answers to the last session.
    """
    left, left_eager = _split(before.sessions)
    right, right_eager = _split(after.sessions)
    servers = zip_longest(_servers(before), _servers(after))
    if left and not right and right_eager:
        right, right_eager = _fill(left, right_eager), None
    elif right and not left and left_eager:
        left, left_eager = _fill(right, left_eager), None
    count = max(len(left), len(right))
    pairs: list[tuple[Session | None, Session | None]] = [
        (_at(left, index), _at(right, index)) for index in range(count)
    ]
    if (left_eager and right_eager) or (not pairs and (left_eager or right_eager)):
        pairs.append((left_eager, right_eager))
    return [*servers, *pairs]


def plain_sessions(leg: Observation) -> list[Session]:
    """Return the sessions of a leg, without its servers and its eager context."""
    return _split(leg.sessions)[0]


def _split(sessions: Sequence[Session]) -> tuple[list[Session], Session | None]:
    plain = [one for one in sessions if one.title != EAGER and not one.title.startswith(_SERVER)]
    eager = next((session for session in sessions if session.title == EAGER), None)
    return plain, eager


def _servers(leg: Observation) -> list[Session]:
    return [session for session in leg.sessions if session.title.startswith(_SERVER)]


def has_eager_context(leg: Observation) -> bool:
    """Tell whether a leg made an eager context, alone or beside its sessions."""
    return _split(leg.sessions)[1] is not None


def _fill(others: Sequence[Session], eager: Session) -> list[Session]:
    """Let the eager context answer to every session: it is what each of them took away."""
    return [eager] * len(others)


def _at(sessions: Sequence[Session], index: int) -> Session | None:
    return sessions[index] if index < len(sessions) else None


def same_runtime(before: Observation, after: Observation) -> bool:
    """Tell whether both legs ran on the same TensorFlow."""
    return before.tensorflow == after.tensorflow


def same_kind(before: Observation, after: Observation) -> bool:
    """Tell whether both legs ran graphs in sessions only, or both ran eager code or functions."""
    return _runs_eagerly(before) == _runs_eagerly(after)


def same_form(before: Observation, after: Observation) -> bool:
    """Tell whether both legs have the same sessions and functions, so that names say the same."""
    return same_kind(before, after) and _functions(before) == _functions(after)


def _functions(leg: Observation) -> set[str]:
    return {one.title for one in leg.placements if one.title.startswith(FUNCTION)}


def _runs_eagerly(leg: Observation) -> bool:
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
