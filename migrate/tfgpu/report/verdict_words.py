"""What the reports of a verdict say in the same words, whatever their form."""

from __future__ import annotations

from collections import Counter

from tfgpu.verify.observation import Device, Observation
from tfgpu.verify.verdict import Aspect, Entry, Outcome, Verdict

SIMULATED_NOTE = (
    "Simulated GPUs compute nothing: the numbers that the programs print are zeros and were "
    "not compared."
)

_PREFIX = "/job:localhost/replica:0/task:0"
_PLURALS = {Outcome.MISMATCH: ("mismatch", "mismatches")}


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 field`, `1,204 operations`."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def mib(size: float) -> str:
    """Return bytes as MiB; small sizes keep their fraction."""
    value = size / 2**20
    return f"{value:,.0f} MiB" if value >= 100 or value.is_integer() else f"{value:.4g} MiB"


def size(number: float) -> str:
    """Return bytes in the unit that people use for a card: `16 GiB`, `11.5 GiB`, `512 MiB`."""
    return f"{number / 2**30:.4g} GiB" if number >= 2**30 else mib(number)


def programs(verdict: Verdict) -> str:
    """Return which two programs ran; one name stands for a file before and after its migration."""
    before, after = verdict.before.program, verdict.after.program
    if before == after:
        return f"{before} before and after its migration"
    return f"{before} and {after}"


def where(verdict: Verdict) -> str:
    """Return on which GPUs, and always whether those were simulated or real."""
    kind = "simulated" if verdict.simulated else "real"
    return f"on {kind} GPUs: {verdict.gpus}"


def headline(verdict: Verdict) -> str:
    """Return what ran on what, with the first cause of what proves nothing, or the bound."""
    what = f"{programs(verdict)}, {where(verdict)}"
    if verdict.outcome is Outcome.INCONCLUSIVE:
        return f"{first_cause(verdict)}; {what}"
    if verdict.outcome is Outcome.MATCH and verdict.bound:
        return f"{what}, {verdict.bound}"
    return what


def first_cause(verdict: Verdict) -> str:
    """Return the first reason for which the runs prove nothing, with its place."""
    legs = (("before", verdict.before), ("after", verdict.after))
    for name, leg in legs:
        if leg.failure and leg.ended == "exception":
            place = f"{leg.failure.source}: " if leg.failure.source else ""
            return f"{name} stopped at {place}{leg.failure.kind}: {leg.failure.message}"
    for name, leg in legs:
        for reason in leg.trouble:
            return f"{name}: {reason}"
    reasons = (
        entry.reason
        for aspect in verdict.aspects
        for entry in aspect.entries
        if entry.outcome is Outcome.INCONCLUSIVE and entry.reason
    )
    return next(reasons, "there was nothing to compare")


def short_device(name: str) -> str:
    """Return a device without what every device of a process on its own is called."""
    return name.removeprefix(_PREFIX).removeprefix("/device:")


def logical_devices(observation: Observation) -> list[Device]:
    """Return the devices of all sessions, each name once."""
    return list(
        {
            device.name: device for session in observation.sessions for device in session.devices
        }.values()
    )


def ended(observation: Observation) -> str:
    """Return how a program ended."""
    failure = observation.failure
    if observation.ended == "exception" and failure is not None:
        return f"raised {failure.kind}"
    return {
        "end": "ran to its end",
        "steps": f"stopped after {count(observation.steps, 'step')}, as asked",
        "exit": f"exited with status {observation.status}",
        "exception": "raised an exception",
        "timeout": "did not end in time",
        "signal": f"died of signal {observation.status}",
        "blocked": "could not be run",
    }.get(observation.ended, observation.ended)


def aspect_facts(verdict: Verdict, aspect: Aspect) -> str:
    """Return what was compared of an aspect in numbers, then the outcomes that are no match."""
    if not aspect.entries:
        return "nothing was compared"
    before, after = _facts(verdict.before, aspect), _facts(verdict.after, aspect)
    facts = before if before == after else f"before: {before}; after: {after}"
    return "; ".join(part for part in (facts, outcome_counts(aspect)) if part)


def outcome_counts(aspect: Aspect) -> str:
    """Return how many entries are mismatches, inconclusive or ignored; "" if all match."""
    found = Counter(entry.outcome for entry in aspect.entries)
    parts = []
    for outcome in reversed(Outcome):
        if outcome is not Outcome.MATCH and found[outcome]:
            one, more = _PLURALS.get(outcome, (outcome.value, outcome.value))
            parts.append(f"{found[outcome]:,} {one if found[outcome] == 1 else more}")
    return ", ".join(parts)


def _facts(leg: Observation, aspect: Aspect) -> str:
    if aspect.name == "devices":
        kinds = Counter(device.name.partition(":")[0] for device in logical_devices(leg))
        # GPUs first, as what the reader came for.
        order = sorted(kinds, key=lambda kind: (kind != "GPU", kind))
        return ", ".join(count(kinds[kind], kind) for kind in order) or "none seen"
    if aspect.name == "configuration":
        return count(len(aspect.entries), "field")
    if aspect.name == "placement":
        return count(sum(len(graph.operations) for graph in leg.placements), "operation")
    if aspect.name == "memory":
        used = [gpu for gpu in leg.memory if gpu.calls or gpu.used]
        facts = count(len(used), "GPU")
        calls = sum(len(gpu.calls) for gpu in used)
        return f"{facts}, {count(calls, 'allocation')}" if calls else facts
    if aspect.name == "result":
        return ended(leg)
    return count(len(aspect.entries), "comparison")


def summary(verdict: Verdict) -> str:
    """Return in one sentence what the outcome means."""
    entries = [(aspect, entry) for aspect in verdict.aspects for entry in aspect.entries]
    if verdict.outcome is Outcome.MISMATCH:
        found = Counter(
            aspect.name for aspect, entry in entries if entry.outcome is Outcome.MISMATCH
        )
        places = ", ".join(f"{name} ({number:,})" for name, number in found.items())
        return f"The two programs do not behave the same. Mismatches: {places}."
    if verdict.outcome is Outcome.INCONCLUSIVE:
        cause = first_cause(verdict)
        return f"These runs prove nothing either way: {cause}."
    ignored = sum(entry.outcome is Outcome.IGNORED for _, entry in entries)
    same = "All that was compared is the same before and after."
    if verdict.bound:
        same = f"All that was compared is the same before and after, in {verdict.bound}."
    if not ignored:
        return same
    return f"{same} {_left_out(ignored)}"


def _left_out(ignored: int) -> str:
    if ignored == 1:
        return "One thing was left out; its reason is given."
    return f"{ignored:,} things were left out; the reason of each is given."


def troubles(verdict: Verdict) -> list[str]:
    """Return why a leg proves nothing, with the leg; not what entries say already."""
    said = {entry.reason for aspect in verdict.aspects for entry in aspect.entries}
    return [
        f"{leg}: {reason}"
        for leg, observation in (("before", verdict.before), ("after", verdict.after))
        for reason in observation.trouble
        if reason not in said
    ]


def notes(verdict: Verdict) -> list[str]:
    """Return what a reader must know about how the comparison was made."""
    return [*verdict.notes, *([SIMULATED_NOTE] if verdict.simulated else [])]


def entries_with(aspect: Aspect, outcome: Outcome) -> list[Entry]:
    """Return the entries of an aspect that came to one outcome."""
    return [entry for entry in aspect.entries if entry.outcome is outcome]
