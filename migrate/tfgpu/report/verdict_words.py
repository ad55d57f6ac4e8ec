"""What the reports of a verdict say in the same words, whatever their form."""

from __future__ import annotations

import re
from collections import Counter

from tfgpu.report.repository import page_link
from tfgpu.report.summary import count
from tfgpu.verify.assumptions import HELD
from tfgpu.verify.compare.pairing import ending_text
from tfgpu.verify.observation import Device, Observation
from tfgpu.verify.verdict import Aspect, Comparison, Entry, Outcome, Verdict

SIMULATED_NOTE = (
    "Simulated GPUs compute nothing: the numbers that the programs print are zeros and were "
    "not compared."
)

_LIMITS = "What verify cannot see"

# Lines of TensorFlow and other libraries in what a program writes as errors.
_LOGGED = re.compile(
    r"\d{4}-\d\d-\d\d |[IWEF]\d{4} |WARNING|Instructions for updating|non-resource variables "
    r"|Device mapping|/job:"
)

_PREFIX = "/job:localhost/replica:0/task:0"
_PLURALS = {Outcome.MISMATCH: ("mismatch", "mismatches")}


def mib(size: float) -> str:
    """Return bytes as MiB; small sizes keep their fraction."""
    value = size / 2**20
    return f"{value:,.0f} MiB" if value >= 100 or value.is_integer() else f"{value:.4g} MiB"


def size(number: float) -> str:
    """Return bytes in the unit that people use for a card: `16 GiB`, `11.5 GiB`, `512 MiB`."""
    return f"{number / 2**30:.4g} GiB" if number >= 2**30 else mib(number)


def programs(verdict: Verdict) -> str:
    """Return which two programs ran; one name for a file before and after its migration."""
    before, after = verdict.before.program, verdict.after.program
    if before == after:
        return f"{before} before and after its migration"
    return f"{before} and {after}"


def where(verdict: Verdict) -> str:
    """Return the set-ups with this outcome, and whether their GPUs were simulated or real."""
    kind = "simulated" if verdict.simulated else "real"
    if not has_scenarios(verdict):
        return f"on {kind} GPUs: {verdict.gpus}"
    names = [one.scenario.name for one in verdict.scenarios if _counts(verdict, one)]
    return f"in {ratio(verdict)} ({kind} GPUs): {'; '.join(names)}"


def ratio(verdict: Verdict) -> str:
    """Return the number of set-ups with this outcome."""
    number = sum(_counts(verdict, one) for one in verdict.scenarios)
    return f"{number} of {count(len(verdict.scenarios), 'set-up')}"


def has_scenarios(verdict: Verdict) -> bool:
    """Tell whether there is more than one set-up."""
    return len(verdict.scenarios) > 1


def _counts(verdict: Verdict, one: Comparison) -> bool:
    return one.outcome is verdict.outcome and not one.is_silent


def remarks(verdict: Verdict, one: Comparison) -> list[str]:
    """Return what is to be said of a set-up: that details are about it, or why it shows nothing."""
    if one.is_silent:
        before, after = (ending_text(leg) for leg in (one.before, one.after))
        ends = [f"both: {before}"] if before == after else [f"before: {before}", f"after: {after}"]
        return [f"(shows nothing, and need not; {'; '.join([*ends, *one.before.trouble])})"]
    return ["(shown in detail)"] if one.aspects is verdict.aspects else []


def folded(verdict: Verdict, outcome: Outcome) -> dict[str, list[tuple[Entry, list[str]]]]:
    """Return, for each aspect, the entries with an outcome, and their set-ups.

    The same subject in several set-ups is one entry, as the set-up shows it that is shown. Where
    there is one set-up, or all are meant, none are named.
    """
    found: dict[str, list[tuple[Entry, list[str]]]] = {one.name: [] for one in verdict.aspects}
    for aspect in verdict.aspects:
        found[aspect.name] = [(entry, []) for entry in entries_with(aspect, outcome)]
    if outcome is Outcome.IGNORED or not has_scenarios(verdict):
        return found
    counted = [one for one in verdict.scenarios if not one.is_silent]
    known = {
        (name, entry.subject, entry.graph): names
        for name, entries in found.items()
        for entry, names in entries
    }
    for one in counted:
        for aspect in one.aspects:
            for entry in entries_with(aspect, outcome):
                key = (aspect.name, entry.subject, entry.graph)
                if key not in known:
                    known[key] = []
                    found.setdefault(aspect.name, []).append((entry, known[key]))
                if one.scenario.name not in known[key]:
                    known[key].append(one.scenario.name)
    for names in known.values():
        if len(names) == len(counted):
            names.clear()
    return found


def headline(verdict: Verdict) -> str:
    """Return what ran on what, with the first cause of what proves nothing, or the bound."""
    told = "".join(f"{one}: " for one in verdict.caveats)
    return told + _headline(verdict)


def _headline(verdict: Verdict) -> str:
    what = f"{programs(verdict)}, {where(verdict)}"
    if verdict.outcome is Outcome.INCONCLUSIVE:
        return f"{first_cause(verdict)}; {what}"
    if verdict.outcome is not Outcome.MATCH or not verdict.bound:
        return what
    if has_scenarios(verdict):  # their names come last
        return f"{programs(verdict)}, {verdict.bound}, {where(verdict)}"
    return f"{what}, {verdict.bound}"


def first_cause(verdict: Verdict) -> str:
    """Return the first reason for which the runs prove nothing, with its place."""
    legs = (("before", verdict.before), ("after", verdict.after))
    for name, leg in legs:
        if leg.failure and leg.ended == "exception":
            place = f"{leg.failure.source}: " if leg.failure.source else ""
            return f"{name} stopped at {place}{leg.failure.kind}: {leg.failure.message}"
        if leg.ended == "exit" and leg.status:
            return f"{name} ended with exit status {leg.status}{_last_words(leg)}"
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


def _last_words(leg: Observation) -> str:
    """Return the last line that a program wrote as an error, without what libraries log."""
    lines = [one.strip() for one in leg.stderr.splitlines() if not _LOGGED.match(one)]
    last = next((one for one in reversed(lines) if one), "")
    return f": {last}" if last else ""


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
        "session": "stopped at its first session, as asked",
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
        names = {device.name for each in _processes(leg) for device in logical_devices(each)}
        kinds = Counter(name.partition(":")[0] for name in names)
        # GPUs first, as what the reader came for.
        order = sorted(kinds, key=lambda kind: (kind != "GPU", kind))
        return ", ".join(count(kinds[kind], kind) for kind in order) or "none seen"
    if aspect.name == "configuration":
        return count(len(aspect.entries), "field")
    if aspect.name == "placement":
        graphs = [graph for each in _processes(leg) for graph in each.placements]
        return count(sum(len(graph.operations) for graph in graphs), "operation")
    if aspect.name == "memory":
        every = [gpu for each in _processes(leg) for gpu in each.memory]
        used = [gpu for gpu in every if gpu.calls or gpu.used]
        facts = count(len({gpu.bus for gpu in used}), "GPU")
        calls = sum(len(gpu.calls) for gpu in used)
        return f"{facts}, {count(calls, 'allocation')}" if calls else facts
    if aspect.name == "result":
        return ended(leg)
    return count(len(aspect.entries), "comparison")


def _processes(leg: Observation) -> list[Observation]:
    """Return a leg with the processes that it started."""
    return [leg, *leg.children]


def summary(verdict: Verdict) -> str:
    """Return in one sentence what the outcome means."""
    entries = [(aspect, entry) for aspect in verdict.aspects for entry in aspect.entries]
    if verdict.outcome is Outcome.MISMATCH:
        found = Counter(
            aspect.name for aspect, entry in entries if entry.outcome is Outcome.MISMATCH
        )
        places = ", ".join(f"{name} ({number:,})" for name, number in found.items())
        scope = f" in {ratio(verdict)}" if has_scenarios(verdict) else ""
        return f"The two programs do not behave the same{scope}. Mismatches: {places}."
    if verdict.outcome is Outcome.INCONCLUSIVE:
        cause = first_cause(verdict)
        return f"These runs prove nothing either way: {cause}."
    ignored = sum(entry.outcome is Outcome.IGNORED for _, entry in entries)
    limits = [ratio(verdict)] if has_scenarios(verdict) else []
    bounds = "".join(f", in {each}" for each in [*limits, *filter(None, [verdict.bound])])
    same = f"All that was compared is the same before and after{bounds}."
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
    return [*verdict.notes, *([SIMULATED_NOTE] if verdict.simulated else []), limits()]


def limits() -> str:
    """Return where to read what no verdict is about."""
    page = page_link("verify.md", _LIMITS) or f'docs/verify.md of tfgpu, "{_LIMITS}"'
    return f"What no verification sees is listed in {page}."


def evidence(verdict: Verdict) -> list[str]:
    """Return, counted, what the set-up that is shown rests on."""
    legs = (verdict.before, verdict.after)
    found = [
        _both(
            [count(sum(len(one.sessions) for one in _processes(leg)), "session") for leg in legs]
        ),
        _both(
            [
                f"{count(sum(one.on_gpus for one in _processes(leg)), 'operation')} on GPUs"
                for leg in legs
            ]
        ),
    ]
    changed = sum(len(leg.changed) for leg in legs)
    if changed:
        ran = changed - sum(len(leg.not_run) for leg in legs)
        found.append(f"{ran} of {count(changed, 'changed statement')} ran")
    assumed = [one for leg in legs for one in leg.assumptions]
    if assumed:
        held = sum(one.status == HELD for one in assumed)
        found.append(f"{held} of {count(len(assumed), 'assumption')} held")
    return found


def _both(texts: list[str]) -> str:
    return texts[0] if texts[0] == texts[1] else f"{texts[0]} before, {texts[1]} after"


def entries_with(aspect: Aspect, outcome: Outcome) -> list[Entry]:
    """Return the entries of an aspect with one outcome."""
    return [entry for entry in aspect.entries if entry.outcome is outcome]
