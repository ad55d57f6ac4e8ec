"""What a message is made of: the fields of its constructor, and what is set on it later."""

from __future__ import annotations

import ast

from tfgpu.flow import reasons
from tfgpu.flow.copies import CLEARS, COPIES, Copies
from tfgpu.flow.facts import Setting, conditions
from tfgpu.flow.locations import VIRTUAL_DEVICES, Holder, Holders, Reading, join
from tfgpu.flow.refused import by_place
from tfgpu.flow.sources import Sources
from tfgpu.flow.unpacked import Unpacked

ADDS = ("add", "append", "extend")
# Methods of messages that change nothing but what is known to be set.
_PRESENCE = "SetInParent"
METHODS = (*ADDS, *COPIES, *CLEARS, _PRESENCE)


class Contents:
    """Notes the settings of messages."""

    def __init__(
        self,
        reading: Reading,
        holders: Holders,
        sources: Sources,
        copies: Copies,
        unpacked: Unpacked,
    ) -> None:
        self._read = reading
        self._holders = holders
        self._sources = sources
        self._copies = copies
        self._unpacked = unpacked

    def construct(self, call: ast.Call, holder: Holder, prefix: str) -> None:
        """Take the fields of a constructor call."""
        if call.args:
            refused = by_place(call, "", self._read)
            self._holders.problem(holder, refused or reasons.Stored(call, call))
        for keyword in call.keywords:
            if keyword.arg is None:
                self._unpack(keyword, call, holder, prefix)
            elif not self._read.values.is_none(keyword.value):
                self._field(join(prefix, keyword.arg), keyword.value, keyword, holder)

    def _unpack(self, keyword: ast.keyword, call: ast.Call, holder: Holder, prefix: str) -> None:
        """Take the fields that come from a dictionary."""
        found = self._unpacked.of(keyword)
        if found is None:
            self._holders.problem(holder, reasons.Kwargs(call, keyword.value))
            return
        facts = self._holders.facts[holder]
        facts.dictionaries.extend(found.made)
        facts.statements.extend(found.statements)
        facts.exports.extend(found.exports)
        for function in found.functions:
            problem = reasons.Kwargs(call, keyword.value)
            facts.doubts.extend(self._unpacked.doubts(function, problem))
        for entry in found.entries:
            if not self._read.values.is_none(entry.value):
                self._field(join(prefix, entry.key), entry.value, entry.node, holder)

    def _field(self, path: str, value: ast.expr, node: ast.AST, holder: Holder) -> None:
        """Add one keyword of a constructor: a nested message, or a setting."""
        if path == "device_count":
            self._device_count(value, node, holder)
        elif path in self._read.book.messages and path != VIRTUAL_DEVICES:
            if isinstance(value, ast.Dict):
                for key, item in zip(value.keys, value.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        self._field(join(path, key.value), item, node, holder)
                    else:
                        self._holders.problem(holder, reasons.Kwargs(value, value))
            else:
                self._sources.accept(value, holder, path)
        else:
            self.setting(path, value, node, holder)

    def setting(self, path: str, value: ast.expr, node: ast.AST, holder: Holder) -> None:
        """Note one setting."""
        self._holders.facts[holder].settings.append(
            Setting(
                path,
                self._read.values.value(value),
                node,
                self._read.tree.statement(node),
                conditions(node, self._read.tree),
                self._holders.prefix[holder],
            )
        )

    def set_by_name(self, call: ast.Call, path: str, holder: Holder) -> None:
        """Take `setattr(config, "field", value)`."""
        if path in self._read.book.messages or path == "device_count":
            self._holders.problem(holder, reasons.ConfigRead(call, call))
        else:
            self._holders.goes(holder, self._read.tree.statement(call))
            self.setting(path, call.args[2], call, holder)

    def _device_count(self, value: ast.expr, node: ast.AST, holder: Holder) -> None:
        """Take a device_count: one setting for each device type where they are literal."""
        items: list[tuple[object, ast.expr]] = []
        if isinstance(value, ast.Dict):
            items = [
                (key.value if isinstance(key, ast.Constant) else None, item)
                for key, item in zip(value.keys, value.values, strict=True)
            ]
        elif (
            isinstance(value, ast.Call)
            and self._read.tree.builtin(value.func) == "dict"
            and not value.args
        ):
            items = [(keyword.arg, keyword.value) for keyword in value.keywords]
        if items and all(isinstance(key, str) for key, _ in items):
            for key, item in items:
                self.setting(f"device_count.{key}", item, node, holder)
        else:
            self.setting("device_count", value, node, holder)

    def count_item(self, item: ast.Subscript, holder: Holder) -> None:
        """Take `config.device_count["GPU"] = n`."""
        assign = self._read.tree.parent[item]
        key = item.slice
        if (
            isinstance(assign, ast.Assign)
            and assign.targets == [item]
            and isinstance(key, ast.Constant)
            and isinstance(key.value, str)
        ):
            self._holders.goes(holder, assign)
            self.setting(f"device_count.{key.value}", assign.value, item, holder)
        else:
            self._holders.problem(holder, reasons.ConfigRead(item, item))

    def method(self, method: ast.Attribute, holder: Holder, path: str) -> None:
        """Take a call of a method of a message or of a repeated field."""
        call = self._read.tree.parent[method]
        statement = self._read.tree.parent[call]
        if not (isinstance(call, ast.Call) and isinstance(statement, ast.Expr)):
            self._holders.problem(holder, reasons.ConfigRead(method, method))
            return
        is_message = path in self._read.book.messages and path != VIRTUAL_DEVICES
        if method.attr in COPIES and is_message:
            self._copies.into(call, holder, path)
        elif method.attr in CLEARS and is_message:
            if not self._copies.cleared(call, holder, path):
                self._holders.problem(holder, reasons.ConfigRead(call, call))
        elif method.attr == _PRESENCE and is_message:
            pass
        elif method.attr == "update" and path == "device_count" and len(call.args) == 1:
            self._device_count(call.args[0], call, holder)
        elif method.attr == "update" and path == "device_count" and not call.args:
            for keyword in call.keywords:
                if keyword.arg is not None:
                    self.setting(f"device_count.{keyword.arg}", keyword.value, keyword, holder)
                else:
                    self.setting("device_count", keyword.value, keyword, holder)
        elif method.attr in ADDS and not is_message:
            self.setting(path, call, call, holder)
        else:
            self._holders.problem(holder, reasons.ConfigRead(call, call))
        self._holders.goes(holder, statement)
