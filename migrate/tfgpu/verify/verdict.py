"""Two observations compared: what is the same, what is not, what was left out and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tfgpu.verify.observation import Observation


class Outcome(Enum):
    """What a comparison came to; the order is from harmless to grave."""

    MATCH = "match"
    IGNORED = "ignored"
    INCONCLUSIVE = "inconclusive"
    MISMATCH = "mismatch"


EXIT_CODES = {
    Outcome.MATCH: 0,
    Outcome.IGNORED: 0,
    Outcome.MISMATCH: 1,
    Outcome.INCONCLUSIVE: 3,
}
"""The exit status for a verdict; 2 is an error of the tool or its user."""

ASPECTS = ("devices", "configuration", "placement", "memory", "result")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing compared. `before` and `after` are for people; "" where a side has none.

    `subject` is what was compared (a device, a field, an operation by its name), `graph` the
    session or graph that it belongs to, "" for the whole leg.
    `reason` says why it is ignored or inconclusive, or which setting a mismatch is about; `rule` is
    the code of the rule behind that; `source` a place in the program, `path:line`.
    """

    subject: str
    outcome: Outcome
    before: str
    after: str
    reason: str = ""
    rule: str = ""
    source: str = ""
    graph: str = ""

    @property
    def title(self) -> str:
        """The subject with its session or graph."""
        return f"{self.graph}: {self.subject}" if self.graph else self.subject


@dataclass(frozen=True, slots=True)
class Aspect:
    """One aspect (see ASPECTS) with all that was compared of it."""

    name: str
    entries: Sequence[Entry]

    @property
    def outcome(self) -> Outcome:
        """The gravest outcome of its entries; an aspect without any is inconclusive."""
        return gravest([entry.outcome for entry in self.entries])


@dataclass(frozen=True, slots=True)
class Verdict:
    """What two legs come to, with what they showed.

    `gpus` says in words which GPUs they ran on; `simulated` whether those were simulated. `notes`
    are what a reader must know about how the comparison was made, `isolation` what kept the
    programs from the user's files ("namespaces" or "landlock"), `bound`
    in words how far the programs were run.
    """

    gpus: str
    simulated: bool
    before: Observation
    after: Observation
    aspects: Sequence[Aspect]
    notes: Sequence[str] = ()
    isolation: str = ""
    bound: str = ""

    @property
    def outcome(self) -> Outcome:
        """The gravest outcome of all aspects; a leg in trouble proves nothing, either way."""
        if self.before.trouble or self.after.trouble:
            return Outcome.INCONCLUSIVE
        found = gravest([aspect.outcome for aspect in self.aspects])
        return Outcome.MATCH if found is Outcome.IGNORED else found

    @property
    def exit_code(self) -> int:
        """0 match, 1 mismatch, 3 inconclusive."""
        return EXIT_CODES[self.outcome]


def gravest(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the gravest of some outcomes; nothing compared is inconclusive.

    IGNORED among matches is a match, so that one left-out field does not colour an aspect.
    """
    if not outcomes:
        return Outcome.INCONCLUSIVE
    order = list(Outcome)
    worst = max(outcomes, key=order.index)
    if worst is Outcome.IGNORED and Outcome.MATCH in outcomes:
        return Outcome.MATCH
    return worst
