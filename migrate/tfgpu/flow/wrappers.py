"""Calls of a team's own functions that make a config of one value and a session with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.flow.facts import Config, Setting, Sink, conditions
from tfgpu.flow.locations import Reading


def wrapped(read: Reading) -> Iterator[Config]:
    """Yield the config that each call of a wrapper makes for itself, where it is given a value."""
    for call in read.tree.calls:
        sink = read.callees.sink(call)
        if sink is None or sink.rule.setting is None or sink.argument is None:
            continue
        if not read.values.is_none(sink.argument):
            setting = Setting(
                sink.rule.setting,
                read.values.value(sink.argument),
                sink.argument,
                sink.statement,
                conditions(sink.argument, read.tree),
            )
            yield Config(built=[call], settings=[setting], sinks=[sink], roots=[call])


def is_hidden(sink: Sink) -> bool:
    """Tell whether the value that a wrapper is given may be among unpacked arguments."""
    unpacks = any(keyword.arg is None for keyword in sink.call.keywords)
    starred = any(isinstance(item, ast.Starred) for item in sink.call.args)
    return sink.rule.setting is not None and (unpacks or starred)
