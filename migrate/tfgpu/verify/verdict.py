"""Two observations compared: what is the same, what is not, what was left out and why."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tfgpu.verify.observation import AS_PLACED, Observation
from tfgpu.verify.scenarios import Scenario


class Outcome(Enum):
    """The outcome of a comparison, from harmless to grave."""

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

HOW_IT_ENDED = "how it ended"
"""The subject of the entry about the ends of two legs."""

ERRORS_BESIDE = "errors beside its end"
"""The start of the subjects of entries about errors that ended neither leg."""

NONE = "none"
"""What such an entry says of a side without errors."""

ASPECTS = ("devices", "configuration", "placement", "memory", "result")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing compared. `before` and `after` are for people; "" where a side has none.

    `subject` is what was compared (a device, a field, an operation by its name), `graph` the
    session or graph that it belongs to, "" for the whole leg.
    `reason` says why it is ignored or inconclusive, or which setting a mismatch is about; `rule` is
    the code of the rule behind that; `source` a place in the program, `path:line`. `form` tells
    that a graph and eager code of one text may differ so.
    """

    subject: str
    outcome: Outcome
    before: str
    after: str
    reason: str = ""
    rule: str = ""
    source: str = ""
    graph: str = ""
    form: bool = False

    @property
    def differs(self) -> bool:
        """Whether it is no match, or may be none."""
        return self.outcome in (Outcome.MISMATCH, Outcome.INCONCLUSIVE)

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
class Comparison:
    """The two legs of one scenario, compared.

    What the statements of a change and the assumptions of a migration came to in all scenarios
    stands with the own set-up.
    """

    scenario: Scenario
    before: Observation
    after: Observation
    aspects: Sequence[Aspect]

    @property
    def outcome(self) -> Outcome:
        """What the legs come to; where no operation ran, other exceptions are no difference."""
        found = _outcome(self.before, self.after, self.aspects)
        refused = self._is_aborted or self._both_refuse()
        if found is Outcome.MISMATCH and not self.scenario.asked and refused:
            return Outcome.INCONCLUSIVE
        return found

    @property
    def is_silent(self) -> bool:
        """Whether it shows nothing and need not: nobody asked for it, and both legs end alike.

        A program that needs two GPUs ends with an error on one, before and after.
        """
        if self.scenario.asked or self.outcome is not Outcome.INCONCLUSIVE:
            return False
        return self._is_aborted or (
            self.before.ended == self.after.ended
            and self.before.status == self.after.status
            and list(self.before.trouble) == list(self.after.trouble)
            and not self._errs_on_one_side()
        )

    @property
    def _is_aborted(self) -> bool:
        """Whether TensorFlow 1 aborts the program before, as none of its CPU builds nor 2 does.

        1.15.5: a session whose config names visible GPUs, where there are none.
        """
        leg = self.before
        return (
            self.scenario.machine.simulated == ()
            and leg.tensorflow.startswith("1.")
            and (leg.ended, leg.status) == ("signal", signal.SIGABRT)
            and not leg.sessions
        )

    def _errs_on_one_side(self) -> bool:
        """Tell whether one leg has errors beside its end that the other one has not."""
        return any(
            entry.subject.startswith(ERRORS_BESIDE)
            and entry.outcome is Outcome.INCONCLUSIVE
            and NONE in (entry.before, entry.after)
            for aspect in self.aspects
            for entry in aspect.entries
        )

    def _both_refuse(self) -> bool:
        """Tell whether both raise an exception before any operation, and differ in nothing else.

        The session of the one refuses what a list of GPUs of the other does not have.
        """
        legs = (self.before, self.after)
        other = [
            entry
            for aspect in self.aspects
            for entry in aspect.entries
            if entry.outcome is Outcome.MISMATCH and entry.subject != HOW_IT_ENDED
        ]
        return not other and all(leg.ended == "exception" and not _ran(leg) for leg in legs)


def _ran(leg: Observation) -> bool:
    return any(one.operations for one in leg.placements if one.title != AS_PLACED)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What two programs come to, with what they showed.

    `scenarios` are the set-ups that they ran in, the own one first; none where they only ran in
    one. All else is about the one of them that is shown: `gpus` says in words which GPUs it had,
    `simulated` whether those were simulated. `notes`
    are what a reader must know about how the comparison was made, `isolation` what kept the
    programs from the user's files ("namespaces" or "landlock"), `bound`
    in words how far the programs were run. `change` is the diff of the two. `caveats` are what
    must not be overlooked: they stand in the first line. `add` is what to add to the command
    where a module or data is missing, "" elsewhere.
    """

    gpus: str
    simulated: bool
    before: Observation
    after: Observation
    aspects: Sequence[Aspect]
    notes: Sequence[str] = ()
    isolation: str = ""
    bound: str = ""
    scenarios: Sequence[Comparison] = ()
    change: str = ""
    caveats: Sequence[str] = ()
    add: str = ""

    @property
    def outcome(self) -> Outcome:
        """The gravest outcome of all scenarios that show something."""
        if not self.scenarios:
            return _outcome(self.before, self.after, self.aspects)
        return gravest([one.outcome for one in self.scenarios if not one.is_silent])

    @property
    def exit_code(self) -> int:
        """0 match, 1 mismatch, 3 inconclusive."""
        return EXIT_CODES[self.outcome]


def bound_of(steps: int) -> str:
    """Return in words how far programs are run for so many runs of each step, "" to their end."""
    return f"the first {steps} runs of each step" if steps else ""


def decisive(scenarios: Sequence[Comparison]) -> Comparison:
    """Return the scenario that a verdict rests on: the first of those with its outcome."""
    counted = [one for one in scenarios if not one.is_silent]
    worst = gravest([one.outcome for one in counted])
    return next(one for one in counted if one.outcome is worst)


def _outcome(before: Observation, after: Observation, aspects: Sequence[Aspect]) -> Outcome:
    """Return the gravest outcome of all aspects; a leg in trouble proves nothing, either way."""
    if before.trouble or after.trouble:
        return Outcome.INCONCLUSIVE
    found = gravest([aspect.outcome for aspect in aspects])
    return Outcome.MATCH if found is Outcome.IGNORED else found


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
