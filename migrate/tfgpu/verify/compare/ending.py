"""How a leg ended, in words."""

from __future__ import annotations

from tfgpu.verify.observation import Observation

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


def ending_text(leg: Observation) -> str:
    """Return in words how a leg ended."""
    if leg.failure:
        return f"{leg.failure.kind}: {leg.failure.message}"
    behind = f", then {leg.behind}" if leg.behind else ""
    return _ENDINGS[leg.ended].format(status=leg.status) + behind


def ended_early(before: Observation, after: Observation) -> str:
    """Return in words that one leg only was cut short, "" where that is not so."""
    if (before.ended in _WHOLE) == (after.ended in _WHOLE):
        return ""
    name, leg = ("after", after) if before.ended in _WHOLE else ("before", before)
    how = leg.failure.kind if leg.failure else ending_text(leg)
    return f"{name} did not come so far: {how}"
