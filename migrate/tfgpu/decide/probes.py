"""Queries for devices that stay, because settings behind them would fail otherwise."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.order import Order
from tfgpu.dataclass import replace
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Query
from tfgpu.rulebook.book import Rulebook

_BEFORE_SETTINGS = "settings come behind it, which would raise RuntimeError behind tf.config's list"
# Calls of tf.config that raise once the eager context has made the devices.
_SETS = (
    "tf.config.experimental.set_memory_growth",
    "tf.config.experimental.set_visible_devices",
    "tf.config.experimental.set_logical_device_configuration",
    "tf.config.experimental.set_virtual_device_configuration",
    "tf.config.set_visible_devices",
    "tf.config.set_logical_device_configuration",
    "tf.config.set_virtual_device_configuration",
    "tf.config.threading.set_",
)


def leave_early(analysis: Analysis, order: Order, book: Rulebook) -> Analysis:
    """Let queries stay whose replacement makes the eager context before settings are made.

    Settings that come too late for the GPUs change nothing then, before and after.
    """
    settings = list(_settings(analysis, book))

    def left(query: Query) -> Query:
        makes = query.form is not None and query.form.initialises
        if makes and any(order.may_precede(query.call, node) for node in settings):
            return replace(query, form=None, problem=_BEFORE_SETTINGS)
        return query

    queries = [left(query) for query in analysis.facts.queries]
    return replace(analysis, facts=replace(analysis.facts, queries=queries, by_file={}))


def _settings(analysis: Analysis, book: Rulebook) -> Iterator[ast.Call]:
    """Yield the sessions whose settings raise behind the eager context, and calls that do."""
    for config in analysis.facts.configs:
        rules = (book.fields.get(setting.field, ()) for setting in config.settings)
        if any(rule.raises_after_eager for found in rules for rule in found):
            yield from (sink.made for sink in config.sinks)
    for call, name in analysis.symbols.calls(analysis.tree):
        if name.startswith(_SETS):
            yield call
