"""Compares how two legs ended, and shows what they printed."""

from __future__ import annotations

from migrate.verify.compare.pairing import same_runtime
from migrate.verify.observation import Observation
from migrate.verify.verdict import Entry, Outcome

_ENDINGS = {
    "end": "ran to its end",
    "steps": "stopped after the wanted steps",
    "exit": "exit status {status}",
    "signal": "killed by signal {status}",
    "timeout": "did not end in time",
    "blocked": "could not be run",
}


def compare_result(before: Observation, after: Observation, simulated: bool) -> list[Entry]:
    """Return how the legs ended, why one proves nothing, and what they printed."""
    entries = [
        Entry(f"{name} leg", Outcome.INCONCLUSIVE, "", "", reason)
        for name, leg in (("before", before), ("after", after))
        for reason in leg.trouble
    ]
    entries.append(_ending(before, after))
    entries.extend(_steps(before, after))
    entries.append(_output(before, after, simulated))
    return entries


def _ending(before: Observation, after: Observation) -> Entry:
    texts = ending_text(before), ending_text(after)
    failure = after.failure or before.failure
    source = failure.source if failure else ""

    def entry(outcome: Outcome, reason: str = "") -> Entry:
        return Entry("how it ended", outcome, *texts, reason, source=source)

    ended = {before.ended, after.ended}
    if len(ended) > 1 or before.status != after.status:
        return entry(Outcome.MISMATCH, "the two sides end differently")
    if ended & {"timeout", "signal", "blocked"}:
        return entry(Outcome.INCONCLUSIVE, "neither side got to its end")
    mine, theirs = before.failure, after.failure
    if mine is None or theirs is None:
        return entry(Outcome.MATCH)
    if mine.kind != theirs.kind:
        return entry(Outcome.MISMATCH, "another exception")
    if not (mine.from_tensorflow and theirs.from_tensorflow):
        reason = "both sides fail in the program itself; what would come after was not compared"
        return entry(Outcome.INCONCLUSIVE, reason)
    if mine.message == theirs.message:
        return entry(Outcome.MATCH, "the same error on both sides")
    if not same_runtime(before, after):
        return entry(Outcome.MATCH, "the same error, worded differently by the two versions")
    return entry(Outcome.MISMATCH, "the same exception with another message")


def ending_text(leg: Observation) -> str:
    """Return in words how a leg ended."""
    if leg.failure:
        return f"{leg.failure.kind}: {leg.failure.message}"
    return _ENDINGS[leg.ended].format(status=leg.status)


def _steps(before: Observation, after: Observation) -> list[Entry]:
    if before.steps == after.steps or before.ended != after.ended:
        return []
    texts = (str(before.steps), str(after.steps))
    return [Entry("steps", Outcome.MISMATCH, *texts, "one side runs more steps than the other")]


def _lines(leg: Observation) -> str:
    return f"{len(leg.stdout.splitlines())} lines"


def _output(before: Observation, after: Observation, simulated: bool) -> Entry:
    texts = _lines(before), _lines(after)
    if simulated:
        reason = "simulated GPUs compute zeros: what the programs print is shown, not compared"
        return Entry("printed output", Outcome.IGNORED, *texts, reason)
    if before.stdout == after.stdout:
        return Entry("printed output", Outcome.MATCH, *texts)
    reason = "numbers may differ from run to run on a GPU: compare what the programs print by eye"
    return Entry("printed output", Outcome.IGNORED, *texts, reason)
