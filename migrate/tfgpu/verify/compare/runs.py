"""How often steps ran, which is known up to a bound."""

from __future__ import annotations

from dataclasses import replace

from tfgpu.verify.observation import Observation, Runs


def runs_by_label(leg: Observation) -> dict[str, Runs]:
    """Return how often each step of a leg ran, those of one label together."""
    found: dict[str, Runs] = {}
    for one in leg.runs:
        found[one.label] = added_runs(found[one.label], one) if one.label in found else one
    return found


def added_runs(one: Runs, other: Runs) -> Runs:
    """Return two steps as one."""
    return replace(one, count=one.count + other.count, more=one.more or other.more)


def differing_runs(one: Runs, other: Runs) -> tuple[str, str] | None:
    """Return how often two steps ran, None where that may be equally often."""
    if one.count == other.count or (one.more and other.more):
        return None
    if (one.more and one.count < other.count) or (other.more and other.count < one.count):
        return None
    return _text(one), _text(other)


def _text(runs: Runs) -> str:
    return f"{runs.count} times{' or more' if runs.more else ''}"
