"""Settings of one config that choose among the GPUs, and stand in different functions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tfgpu.decide.decision import Draft
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import opposed
from tfgpu.flow.reasons import Problem


def apart(decision: Draft, analysis: Analysis) -> Iterator[Problem]:
    """Find such settings: as calls of tf.config, the one that comes last would choose alone."""
    tree = analysis.tree
    chosen = [item.setting for item in decision.outcomes if item.case and item.rule.hides_gpus]
    for one, other in combinations(chosen, 2):
        if tree.function(one.node) is not tree.function(other.node) and not (
            tree.exclusive(one.node, other.node) or opposed(one.conditions, other.conditions)
        ):
            yield reasons.Apart(other.node, one.node)
