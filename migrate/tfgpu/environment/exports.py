"""Which assignments of a shell script are exported, and which are gone before anything runs.

A subshell keeps its exports to itself, `export X=2` does not export what X was before, and behind
`unset X` an assignment is one of the script's own again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tfgpu.dataclass import dataclass
from tfgpu.environment.command import declared, printed

if TYPE_CHECKING:
    from tree_sitter import Node

BLOCKS = frozenset(
    ["program", "compound_statement", "do_group", "subshell", "if_statement", "elif_clause",
     "else_clause", "case_item", "function_definition", "command_substitution"]
)  # fmt: skip
# What does not look at the variables of GPUs.
IDLE = frozenset(
    ["echo", "printf", "cd", "set", "shopt", "mkdir", "module", "pushd", "popd", "shift", "true",
     "test", "[", "ulimit", "umask", "sleep", "date", "pwd", "hostname", "wait", ":"]
)  # fmt: skip
_SHELLS = frozenset(["program", "subshell", "command_substitution", "process_substitution"])
# Stands for all variables: `set -a`.
_ALL = ""
# A script that has more to do with one variable is not looked at so closely.
_MANY = 200


@dataclass(frozen=True, slots=True)
class _Around:
    """What a command stands in: the block and the shell that it is in, and the function."""

    block: tuple[int, int]
    shell: tuple[int, int]
    function: int


@dataclass(frozen=True, slots=True)
class _Event:
    """What happens to a variable: "assigned", "exported", "set" (both at once), or "dropped"."""

    kind: str
    name: str
    at: int
    around: _Around


def children_of(node: Node) -> list[tuple[Node, bool]]:
    """Return the children of a node, each with whether it is a block that may not run."""
    is_list = node.type == "list"
    return [
        (child, (is_list and index > 0) or child.type in BLOCKS)
        for index, child in enumerate(node.named_children)
    ]


@dataclass(frozen=True, slots=True)
class Exports:
    """Where the assignments begin, in bytes, that are exported, and that nothing can see."""

    exported: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()


def exports_of(root: Node, ends: bool) -> Exports:
    """Return what becomes of the assignments of a script; `ends` tells that its shell does, too."""
    whole = (root.start_byte, root.end_byte + 1)
    events: list[_Event] = []
    runs: list[int] = []
    uses: dict[str, int] = {}
    waiting = [(root, _Around(whole, whole, -1))]
    while waiting:
        node, around = waiting.pop()
        events += _events(node, around)
        is_run = node.type == "command" and not _is_idle(node)
        if is_run or node.type in ("unset_command", "ERROR"):
            runs.append(node.start_byte)
        if node.type in ("simple_expansion", "expansion"):
            for name in node.named_children[:1]:
                uses[_text(name)] = max(uses.get(_text(name), 0), node.start_byte)
        for child, is_block in children_of(node):
            waiting.append((child, _within(child, is_block, around)))
    by_name: dict[str, list[_Event]] = {}
    for event in events:
        by_name.setdefault(event.name, []).append(event)
    exporting = frozenset(event.name for event in events if event.kind in ("exported", "set"))
    script = _Script(by_name, sorted(runs), whole, uses, exporting)
    assigned = [event for event in events if event.kind == "assigned"]
    return Exports(
        frozenset(event.at for event in assigned if script.exports(event)),
        frozenset(event.at for event in assigned if script.loses(event, ends)),
    )


def _within(child: Node, is_block: bool, around: _Around) -> _Around:
    """Return what a child stands in: it may be a block, a shell, or a function itself."""
    is_shell, is_function = child.type in _SHELLS, child.type == "function_definition"
    if not (is_block or is_shell):
        return around
    place = (child.start_byte, child.end_byte)
    return _Around(
        place if is_block else around.block,
        place if is_shell else around.shell,
        child.start_byte if is_function else around.function,
    )


def _is_idle(command: Node) -> bool:
    name = command.child_by_field_name("name")
    return name is not None and _text(name) in IDLE


def _events(node: Node, around: _Around) -> Iterator[_Event]:
    if node.type == "variable_assignment":
        name = node.child_by_field_name("name")
        if name is not None:
            yield _Event("assigned", _text(name), node.start_byte, around)
    elif node.type == "unset_command":
        for child in node.named_children:
            yield _Event("dropped", _text(child), node.start_byte, around)
    elif node.type == "declaration_command":
        yield from _declared(node, around)
    elif node.type == "command":
        words = [_text(child) for child in node.named_children]
        if (assigned := printed(node)) is not None:
            yield _Event("assigned", assigned.name, node.start_byte, around)
        if words[:1] == ["set"] and {"-a", "allexport", "+a"} & set(words):
            ends = "+a" in words or "+o" in words
            yield _Event("dropped" if ends else "exported", _ALL, node.start_byte, around)


def _declared(node: Node, around: _Around) -> Iterator[_Event]:
    options = [_text(child) for child in node.named_children if child.type == "word"]
    is_export = _text(node.children[0]) == "export"
    exports = is_export or any(option[:1] == "-" and "x" in option for option in options)
    drops = "+x" in options or (is_export and "-n" in options)
    quoted = [(child, found) for child in node.named_children if (found := declared(child))]
    for child, item in quoted:
        if item.text is not None:
            yield _Event("assigned", item.name, child.start_byte, around)
    if not (exports or drops):
        return
    for child in node.named_children:
        if child.type == "variable_name":
            kind = "dropped" if drops else "exported"
            yield _Event(kind, _text(child), node.start_byte, around)
        elif child.type == "variable_assignment" and not drops:
            name = child.child_by_field_name("name")
            yield _Event("set", _text(name or child), node.start_byte, around)
    for _, item in quoted:
        if drops or item.text is None:
            yield _Event("dropped" if drops else "exported", item.name, node.start_byte, around)
        else:
            yield _Event("set", item.name, node.start_byte, around)


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _holds(place: tuple[int, int], at: int) -> bool:
    return place[0] <= at < place[1]


@dataclass(frozen=True, slots=True)
class _Script:
    """All that happens to each variable of a script, and where it starts programs, in order."""

    events: dict[str, list[_Event]]
    runs: list[int]
    whole: tuple[int, int]
    uses: dict[str, int]
    exporting: frozenset[str]

    def loses(self, assigned: _Event, ends: bool) -> bool:
        """Tell whether the shell of an assignment ends before it runs or writes anything."""
        shell, at = assigned.around.shell, assigned.at
        is_whole = shell == self.whole
        if (is_whole and not ends) or assigned.around.function >= 0:
            return False
        return not self._runs(at, shell[1]) and self.uses.get(assigned.name, 0) <= at

    def exports(self, assigned: _Event) -> bool:
        """Tell whether what is assigned is exported, as far as can be told."""
        own, of_all = self.events[assigned.name], self.events.get(_ALL, [])
        if len(own) + len(of_all) > _MANY:
            return bool(self.exporting & {assigned.name, _ALL})
        about = [*own, *of_all]
        return any(
            self._is_exported(assigned, event, about)
            for event in about
            if event.kind in ("exported", "set")
        )

    def _is_exported(self, assigned: _Event, export: _Event, about: list[_Event]) -> bool:
        if export.around.function != assigned.around.function:
            # Which of them comes first is for the calls of the function to say.
            return True
        first, last = sorted((assigned.at, export.at))
        between = [event for event in about if first < event.at < last]
        if any(
            event.kind == "dropped" and _holds(event.around.block, last)
            for event in between
            if event.name == export.name
        ):
            return False
        if export.at < assigned.at:
            return _holds(export.around.shell, assigned.at)
        if export.name == _ALL or not _holds(assigned.around.shell, export.at):
            return False
        if export.kind == "set":
            in_same = export.around.shell == assigned.around.shell
            return in_same and not self._runs(assigned.at, export.at)
        is_replaced = any(
            event.kind == "assigned"
            and _holds(event.around.block, export.at)
            and self._runs(assigned.at, event.at)
            for event in between
        )
        shell = export.around.shell
        is_needed = shell == self.whole or self._runs(export.at, shell[1])
        return is_needed and not is_replaced

    def _runs(self, start: int, end: int) -> bool:
        return bisect_left(self.runs, end) > bisect_right(self.runs, start)
