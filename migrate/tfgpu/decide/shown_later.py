"""Memory settings of GPUs that the same code shows to one session only after another.

TensorFlow 1 made each GPU as the config of the first session that shows it says. What tf.config was
told for an earlier session stays, also for the GPUs that this one did not see.
"""

from __future__ import annotations

from collections.abc import Iterator

from tfgpu.code.order import Order
from tfgpu.decide.assumptions import Assumption
from tfgpu.decide.cluster import Cluster
from tfgpu.decide.decision import Draft, Outcome, Place
from tfgpu.decide.places import places
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.reasons import Problem


def shown_later(
    decision: Draft, analysis: Analysis, order: Order, cluster: Cluster
) -> Iterator[Problem | Assumption]:
    """Find a memory setting that a session would take on with GPUs that it is the first to show."""
    acts = [
        (place, place.always and _is_unguarded(place, decision, analysis))
        for place in places(decision, analysis)
    ]
    if all(always and one.constant for one, always in acts if one.outcome.rule.hides_gpus):
        return
    for place, always in acts:
        outcome = place.outcome
        is_of_gpus = outcome.rule.scope_of(outcome.case) == "gpu"
        is_written = always and (place.constant or _is_never_skipped(outcome, analysis))
        if is_of_gpus and not is_written and not order.runs_once(place.node):
            problem = reasons.Varies(outcome.setting.node, outcome.setting.field)
            yield cluster.unless_behind(place.node, place.node, problem)
            return


def _is_unguarded(place: Place, decision: Draft, analysis: Analysis) -> bool:
    """Tell whether a setting is made whenever the config is: its parts may be built in branches."""
    guards = analysis.tree.guards(place.node)
    return not guards or any(
        analysis.tree.function(place.node) is analysis.tree.function(root)
        and analysis.tree.guards(root)[: len(guards)] == guards
        for root in decision.config.roots
    )


def _is_never_skipped(outcome: Outcome, analysis: Analysis) -> bool:
    """Tell whether each value is written over an earlier one: `if fraction:` writes no 0."""
    if outcome.case is None or outcome.case.guard is None:
        return True
    values = analysis.possible.values(outcome.setting.value.node)
    return values is not None and all(values)
