"""Messages that are copied into others, by a constructor, `CopyFrom` or `MergeFrom`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tfgpu.flow.holders import Holder, Holders, Reading
from tfgpu.flow.sources import Sources

COPIES = ("CopyFrom", "MergeFrom")


class Copies:
    """The copies of all messages, checked once everything else is known."""

    def __init__(self, reading: Reading, holders: Holders, sources: Sources) -> None:
        self._read = reading
        self._holders = holders
        self._sources = sources
        self._from: dict[ast.Call, tuple[Holder, str]] = {}
        self._into: dict[ast.Call, tuple[Holder, str]] = {}
        self._handed: dict[Holder, list[ast.Call]] = {}

    def into(self, call: ast.Call, holder: Holder, path: str) -> None:
        """Note a call that copies something into a part of what a holder holds."""
        self._into[call] = (holder, path)

    def copied(self, call: ast.Call, holder: Holder, prefix: str) -> None:
        """Note a call that copies what a holder holds."""
        self._from[call] = (holder, prefix)
        self.handed(holder, call)

    def handed(self, holder: Holder, call: ast.Call) -> None:
        """Note a call from which on what a holder holds is a copy."""
        self._handed.setdefault(holder, []).append(call)

    def settle(self, process: Callable[[], None]) -> None:
        """Link the messages that are copied into a part of a config; `process` follows them."""
        for call, (holder, path) in self._into.items():
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                self._sources.accept(argument, holder, path)
            process()
        for call, (holder, prefix) in self._from.items():
            if self._into.get(call, (None, None))[1] != prefix:
                self._holders.problem(
                    holder, "passed-on", call, callee=self._read.tree.source(call.func)
                )

    def check(self) -> None:
        """Find parts that are changed when they were copied into their config already."""
        position = self._read.tree.position
        for holder, calls in self._handed.items():
            first = min(map(position, calls))
            for setting in self._holders.facts[holder].settings:
                if position(setting.node) > first and holder[0] != "site":
                    self._holders.problem(holder, "set-late", setting.node, field=setting.field)
        for call, (holder, path) in self._into.items():
            for setting in self._holders.facts[holder].settings:
                cleared = setting.field.startswith(f"{path}.") and setting.through == ""
                if cleared and position(setting.node) < position(call):
                    line = str(position(setting.node)[0])
                    self._holders.problem(holder, "set-twice", call, field=setting.field, line=line)
