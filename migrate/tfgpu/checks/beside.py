"""Sessions with a config of their own beside tf.config."""

from __future__ import annotations

from collections.abc import Iterator

from tfgpu.checks.report import Report
from tfgpu.checks.setters import Setter
from tfgpu.checks.usual_order import UsualOrder
from tfgpu.flow.collect import Analysis
from tfgpu.flow.modern import asks_for_version


def sessions_beside(found: list[Setter], order: UsualOrder, analysis: Analysis) -> Iterator[Report]:
    """Find sessions that are given a config after tf.config has set something for the GPUs."""
    tree, facts = analysis.tree, analysis.facts
    setters = [
        item
        for item in found
        if item.sets in ("growth", "visible", "virtual") and not asks_for_version(item.call, tree)
    ]
    sinks = [sink for config in facts.configs for sink in config.sinks] if setters else []
    for sink in (*sinks, *facts.foreign_sinks) if setters else ():
        first = next((item for item in setters if order.before(item.call, sink.made)), None)
        if first is not None and not asks_for_version(sink.call, tree):
            where = analysis.tree.where_from(first.call, sink.call)
            yield Report("session-beside", sink.call, {"call": first.name, "place": where})
