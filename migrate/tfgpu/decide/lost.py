"""Configs that are kept, and have less effect once their program runs on TensorFlow 2.

TensorFlow 2 makes its eager context, and the GPUs with it, where TensorFlow 1 made nothing: in the
Saver of a monitored session, in `Dataset.map`. The session of a config that comes later finds GPUs
and threads that were made without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tfgpu.dataclass import dataclass
from tfgpu.decide.decision import Decision, Outcome
from tfgpu.decide.effect import Effect
from tfgpu.decide.effects import Effects
from tfgpu.flow.collect import Analysis


@dataclass(frozen=True, slots=True, eq=False)
class Lost:
    """A decision to keep a config, and the calls that may make the GPUs before its session does."""

    decision: Decision
    starts: tuple[Effect, ...]


def lost_configs(
    decisions: Iterable[Decision], analysis: Analysis, effects: Effects
) -> Iterator[Lost]:
    """Yield the kept configs that lose something on TensorFlow 2, each with why."""
    for decision in decisions:
        if decision.problem is not None and any(map(_is_made_with, decision.outcomes)):
            starts = tuple(dict.fromkeys(_starts(decision, analysis, effects)))
            if starts:
                yield Lost(decision, starts)


def _starts(decision: Decision, analysis: Analysis, effects: Effects) -> Iterator[Effect]:
    """Yield what may make the GPUs before the sessions that may be given a config."""
    config, order = decision.config, effects.order
    sinks = [end for sink in config.sinks for end in sink.ends()]
    built = config.built[0]
    if config.leaves or not all(sink.session for sink in sinks):
        sinks += analysis.facts.foreign_sinks
        # Any monitored session may be the one that is given the config.
        for start in effects.eager.savers.sinks:
            if order.share_process(built, start.node):
                yield start
    sessions = [sink.made for sink in sinks if order.share_process(built, sink.made)]
    for start in effects.eager.in_graphs:
        if not start.in_session and any(
            start.node is made or order.may_precede(start.node, made) for made in sessions
        ):
            yield start


def _is_made_with(outcome: Outcome) -> bool:
    """Tell whether a setting counts for the GPUs, or threads, that the eager context makes, too."""
    rule, case, known = outcome.rule, outcome.case, outcome.setting.value.known
    if case is not None and case.drop is not None:
        return False
    if rule.lists_gpus:
        return known not in ("", "0")
    is_shared = rule.scope_of(case) != "session" and not rule.eager_has_its_own
    return is_shared and (known is None or bool(known))
