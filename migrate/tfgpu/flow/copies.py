"""Messages that are copied into others, by a constructor, `CopyFrom` or `MergeFrom`, or emptied.

`CopyFrom` and `Clear` take away all that was set before, `MergeFrom` adds to it, and the last value
of a field holds. What was set before is left out where it certainly ran before, and nothing saw it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tfgpu.code.index import Scope
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass, field
from tfgpu.flow import reasons
from tfgpu.flow.facts import Setting
from tfgpu.flow.locations import VIRTUAL_DEVICES, Holder, Holders, Reading, join
from tfgpu.flow.sources import Sources

COPIES = ("CopyFrom", "MergeFrom")
CLEARS = ("Clear", "ClearField")


@dataclass(frozen=True, slots=True, eq=False)
class _Change:
    """A call that copies into a part of what a holder holds, or empties it.

    `members` are the holders of what is copied.
    """

    call: ast.Call
    holder: Holder
    path: str
    replaces: bool
    members: list[Holder] = field(default_factory=list)

    def sets(self, name: str) -> bool:
        """Tell whether a field is in the part."""
        return not self.path or name == self.path or name.startswith(f"{self.path}.")


class Copies:
    """The copies of all messages, checked once everything else is known."""

    def __init__(self, reading: Reading, holders: Holders, sources: Sources) -> None:
        self._read = reading
        self._holders = holders
        self._sources = sources
        self._from: dict[ast.Call, tuple[Holder, str]] = {}
        self._changes: dict[ast.Call, _Change] = {}
        self._handed: dict[Holder, list[ast.Call]] = {}

    def into(self, call: ast.Call, holder: Holder, path: str) -> None:
        """Note a call of `CopyFrom` or `MergeFrom` of a part of what a holder holds."""
        replaces = getattr(call.func, "attr", "") == "CopyFrom"
        self._changes[call] = _Change(call, holder, path, replaces)

    def cleared(self, call: ast.Call, holder: Holder, path: str) -> bool:
        """Note a call of `Clear` or `ClearField`; tell whether it is known what that empties."""
        name = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if getattr(call.func, "attr", "") == "ClearField":
            if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
                return False
            path = join(path, name.value)
        elif call.args or call.keywords:
            return False
        self._changes[call] = _Change(call, holder, path, replaces=True)
        return True

    def copied(self, call: ast.Call, holder: Holder, prefix: str) -> None:
        """Note a call that copies what a holder holds."""
        self._from[call] = (holder, prefix)
        self.handed(holder, call)

    def handed(self, holder: Holder, call: ast.Call) -> None:
        """Note a call from which on what a holder holds is a copy."""
        self._handed.setdefault(holder, []).append(call)

    def settle(self, process: Callable[[], None]) -> None:
        """Link the messages that are copied into a part of a config; `process` follows them."""
        for call, change in self._changes.items():
            if getattr(call.func, "attr", "") in CLEARS:
                continue
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                source = self._sources.holder(argument, change.path)
                if source is not None:
                    self._holders.reach(*source, argument)
                    process()
                    change.members.extend(self._holders.linked(source[0]))
                self._sources.accept(argument, change.holder, change.path)
            process()
        for call, (holder, prefix) in self._from.items():
            into = self._changes.get(call)
            if into is None or into.path != prefix:
                self._holders.problem(holder, reasons.PassedOn(call, call.func))

    def _is_kept(self, holder: Holder, call: ast.Call) -> bool:
        """Tell whether a holder has what a call copies before: it is no variable of a helper."""
        _, owner, _ = holder
        if isinstance(owner, Scope):
            return owner.kind == "module" or owner.node in self._read.tree.within(call)
        return isinstance(owner, ast.ClassDef)

    def check(self) -> None:
        """Find parts that are changed when they were copied into their config already."""
        position = self._read.tree.position
        for holder, calls in self._handed.items():
            first = min(calls, key=position)
            for setting, node in self._set_on(holder):
                late = position(node) > position(first)
                if node is not setting.node:
                    late = not self._is_later(first, node)
                if late and holder[0] != "site":
                    self._holders.problem(holder, reasons.SetLate(setting.node, setting.field))
        for change in sorted(self._changes.values(), key=lambda item: position(item.call)):
            self._check(change)
        for call, change in self._changes.items():
            facts = [self._holders.facts[member] for member in change.members]
            if any(item.settings for item in facts) and any(
                self._is_kept(member, call) for member in change.members
            ):
                self._holders.facts[change.holder].copies.append(call)

    def _set_on(self, holder: Holder) -> Iterator[tuple[Setting, ast.AST]]:
        """Yield what is set on what a holder has, with what makes the setting when it runs.

        A function that takes a config sets its fields where it is called. It may be the one that is
        copied, or that it is copied into.
        """
        yield from ((item, item.node) for item in self._holders.facts[holder].settings)
        tree, linked = self._read.tree, self._holders.linked(holder)
        taken: dict[ast.AST, ast.AST] = {
            item.function: item.call
            for other in linked
            for item in self._holders.facts[other].passed
        }
        for other in linked:
            for setting in self._holders.facts[other].settings if other != holder else ():
                acts: ast.AST = setting.node
                for _ in taken:
                    acts = taken.get(tree.function(acts).node, acts)
                if acts is not setting.node:
                    yield setting, acts

    def _check_detached(self, change: _Change) -> None:
        """Find a part that is set through a variable when its config has another one already."""
        if not change.replaces:
            return
        start = self._read.tree.position(change.call)
        itself = getattr(change.call.func, "attr", "") == "ClearField"
        for holder in self._holders.linked(change.holder):
            prefix = self._holders.prefix[holder]
            inside = f"{prefix}.".startswith(f"{change.path}." if change.path else "")
            if holder[0] == "site" or not inside or (prefix == change.path and not itself):
                continue
            for setting in self._holders.facts[holder].settings:
                if self._read.tree.position(setting.node) > start:
                    problem = reasons.SetLate(setting.node, setting.field)
                    self._holders.problem(holder, problem)

    def _check(self, change: _Change) -> None:
        """Take away what was set before a part was replaced; else find what holds in the end."""
        self._check_detached(change)
        earlier = [
            (holder, setting, node)
            for holder, setting, node in self._others(change)
            if change.sets(setting.field) and not self._is_later(node, change.call)
        ]
        if not change.replaces:
            own = {
                setting.field
                for member in change.members
                for setting in self._holders.facts[member].settings
            }
            earlier = [item for item in earlier if item[1].field in own] + [
                item for item in earlier if item[1].field == VIRTUAL_DEVICES
            ]
            sure = False
        else:
            quiet = self._read.values.quiet
            sure = all(
                self._is_before(node, change) and quiet(setting.value.node)
                for _, setting, node in earlier
            )
        for holder, setting, _ in earlier:
            if sure:
                self._holders.facts[holder].settings.remove(setting)
            else:
                problem = reasons.SetTwice(change.call, setting.field, setting.node)
                self._holders.problem(change.holder, problem)
                return
        if not change.path and (sure or not change.replaces):
            self._join_roots(change)

    def _others(self, change: _Change) -> list[tuple[Holder, Setting, ast.AST]]:
        """Return what else is set on the config, and the node that sets it."""
        by_copy = {
            member: other.call
            for other in self._changes.values()
            if other is not change
            for member in other.members
        }
        return [
            (holder, setting, by_copy.get(holder, setting.node))
            for holder in self._holders.linked(change.holder)
            if holder not in change.members
            for setting in self._holders.facts[holder].settings
        ]

    def _is_later(self, node: ast.AST, call: ast.AST) -> bool:
        """Tell whether something certainly happens after a call, if both happen."""
        tree = self._read.tree
        return (
            tree.function(node) is tree.function(call)
            and tree.position(node) > tree.position(call)
            and not _in_one_loop(node, call, tree)
        ) or tree.exclusive(node, call)

    def _is_before(self, node: ast.AST, change: _Change) -> bool:
        """Tell whether a call certainly follows something, and no session is made in between."""
        tree = self._read.tree
        call = change.call
        outer, inner = tree.guards(call), tree.guards(node)
        sinks = (
            sink.call
            for holder in self._holders.linked(change.holder)
            for sink in self._holders.facts[holder].sinks
        )
        return (
            tree.function(node) is tree.function(call)
            and tree.position(node) < tree.position(call)
            and inner[: len(outer)] == outer
            and not tree.in_loop(node)
            and not tree.in_loop(call)
            and not any(
                tree.function(sink) is not tree.function(call)
                or tree.position(sink) < tree.position(call)
                for sink in sinks
            )
        )

    def _join_roots(self, change: _Change) -> None:
        """Let a config, and the one that it is copied into as a whole, count as one.

        What is copied has no use else. What it replaces counts no more; what it is added to does.
        """
        facts = self._holders.facts
        if any(facts[member].sinks for member in change.members):
            return
        others = [it for it in self._holders.linked(change.holder) if it not in change.members]
        copied = [root for member in change.members for root in facts[member].roots]
        sources = {member for other in self._changes.values() for member in other.members}
        into = [root for holder in {*others} - sources for root in facts[holder].roots]
        gone = others if change.replaces else change.members
        if copied and (change.replaces or len(copied) == len(into) == 1):
            for holder in gone:
                facts[holder].roots.clear()


def _in_one_loop(one: ast.AST, other: ast.AST, tree: Tree) -> bool:
    loops = {guard for guard, _ in tree.guards(one)} & {guard for guard, _ in tree.guards(other)}
    return any(isinstance(guard, ast.For | ast.AsyncFor | ast.While) for guard in loops)
