"""Settings of one session, and GPUs that a later session, or eager context, is the first to show.

TensorFlow 1 made each GPU as the config of the first session that shows it says. What tf.config was
told for an earlier session stays, also for the GPUs that this one did not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tfgpu.code.order import Order
from tfgpu.decide.assumptions import Assumption
from tfgpu.decide.cluster import Cluster
from tfgpu.decide.decision import Draft, Outcome, Place
from tfgpu.decide.places import places
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.reasons import Problem

_COUNT = "device_count.GPU"


def shown_later(
    decision: Draft, analysis: Analysis, order: Order, cluster: Cluster
) -> Iterator[Problem | Assumption]:
    """Find settings that matter with GPUs that something behind them is the first to show.

    A session would take memory settings on with them: it is made by the same code, which hides
    others each time, or has another config. An eager context of TensorFlow 1 shows all GPUs, or
    cannot be made, where sessions hide some.
    """
    acts = places(decision, analysis)
    hiding = [place for place in acts if place.outcome.rule.hides_gpus]
    eager = cluster.effects.eager
    for place, start in product(hiding, eager.in_graphs):
        # Where a session showed some GPUs only, no eager context of 1.15 is made once the others
        # are put back: the process aborts in an operation that calls Python.
        is_some = place.outcome.setting.field == _COUNT and place.outcome.setting.value.known != 0
        counts = start in eager.in_version_1 or (start.in_session and is_some)
        if counts and order.may_precede(place.node, start.node):
            setting = place.outcome.setting
            held = reasons.EagerCode(setting.node, setting.field)
            yield cluster.unless_behind(start.node, place.node, held)
    memory = [place for place in acts if place.outcome.rule.scope_of(place.outcome.case) == "gpu"]
    if not hiding or not memory:
        return
    always = {place for place in acts if _is_always_made(place, decision, analysis)}
    if not all(place.constant and place in always for place in hiding):
        for place in memory:
            is_over = place.constant or _is_never_skipped(place.outcome, analysis)
            if not (is_over and place in always) and not order.runs_once(place.node):
                setting = place.outcome.setting
                problem = reasons.Varies(setting.node, setting.field)
                yield cluster.unless_behind(place.node, place.node, problem)
                break
    for sink, other in cluster.sessions:
        if other is not decision and not cluster.is_same(decision, other):
            for place in hiding:
                if cluster.may_follow(place.node, sink):
                    mixed = cluster.mixed(sink, other, decision, place)
                    yield from cluster.unless_made(sink, place.node, mixed)


def _is_always_made(place: Place, decision: Draft, analysis: Analysis) -> bool:
    """Tell whether a setting is made whenever the config is: its parts may be built in branches."""
    guards = analysis.tree.guards(place.node)
    return place.always and (
        not guards
        or any(
            analysis.tree.function(place.node) is analysis.tree.function(root)
            and analysis.tree.guards(root)[: len(guards)] == guards
            for root in decision.config.roots
        )
    )


def _is_never_skipped(outcome: Outcome, analysis: Analysis) -> bool:
    """Tell whether each value is written over an earlier one: `if fraction:` writes no 0."""
    if outcome.case is None or outcome.case.guard is None:
        return True
    values = analysis.possible.values(outcome.setting.value.node)
    return values is not None and all(values)
