"""Locations that hold a config or a part of one (holders), which are aliases, and their facts.

A *holder* is the constructor call itself, a variable, an attribute of `self`, or what a function
returns. Holders are linked where one is assigned to, passed into or copied into another; linked
holders are one config.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tfgpu.code.reflection import Reflection
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree
from tfgpu.code.values import Values
from tfgpu.dataclass import dataclass
from tfgpu.flow import reasons
from tfgpu.flow.callees import Callees
from tfgpu.flow.facts import Config
from tfgpu.flow.reasons import Problem
from tfgpu.rulebook.book import MESSAGES, Rulebook

Holder = tuple[str, object, str]
GROWTH = "gpu_options.allow_growth"
LISTS = (
    "tf.config.list_physical_devices",
    "tf.config.experimental.list_physical_devices",
    "tf.config.get_visible_devices",
    "tf.config.experimental.get_visible_devices",
)
"""What lists the physical devices of a program, or those that it may use."""
VIRTUAL_DEVICES = "gpu_options.experimental.virtual_devices"


def join(prefix: str, name: str) -> str:
    """Return the path of a field of a message."""
    return f"{prefix}.{name}" if prefix else name


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What there is to read a file, or several, with."""

    tree: Tree
    symbols: Symbols
    values: Values
    callees: Callees
    reflection: Reflection
    book: Rulebook

    def message(self, call: ast.Call) -> str | None:
        """Return the path of the message that a call constructs."""
        return MESSAGES.get(self.symbols.name(call.func) or "")

    def exported(self, function: ast.FunctionDef) -> list[tuple[Tree, str]]:
        """Return the names by which other files can reach a function; a method has a dot before.

        That of a class reaches its `__init__`; other methods that Python calls by itself have none.
        """
        scope, name = self.tree.scope(function), function.name
        owner = scope.node
        if name == "__init__" and isinstance(owner, ast.ClassDef):
            scope, name = self.tree.scope(owner), owner.name
        here = self.tree.file(function)
        if scope.kind == "module":
            return [(here, name), *self.symbols.reexports((scope, name))]
        is_special = name.startswith("__") and name.endswith("__")
        return [] if scope.kind == "function" or is_special else [(here, f".{name}")]


class Holders:
    """All holders that were seen, with what is known of each."""

    def __init__(self) -> None:
        self.facts: dict[Holder, Config] = {}
        self.prefix: dict[Holder, str] = {}
        self._links: dict[Holder, Holder] = {}
        self._todo: list[Holder] = []

    def next(self) -> Holder | None:
        """Return a location that has not been analysed yet."""
        return self._todo.pop() if self._todo else None

    def reach(self, holder: Holder, prefix: str, node: ast.AST) -> None:
        """Note that a holder holds the message at `prefix`; `node` is where this is seen."""
        known = self.prefix.setdefault(holder, prefix)
        if holder not in self.facts:
            self.facts[holder] = Config()
            self._links[holder] = holder
            self._todo.append(holder)
        if known != prefix:
            self.problem(holder, reasons.MixedOrigin(node, "another kind of message"))

    def find(self, holder: Holder) -> Holder:
        """Return the representative of all holders that are linked to this one."""
        while self._links[holder] != holder:
            holder = self._links[holder]
        return holder

    def linked(self, holder: Holder) -> list[Holder]:
        """Return all holders that are one config with this one, as far as is known."""
        found = self.find(holder)
        return [other for other in self._links if self.find(other) == found]

    def link(self, one: Holder, other: Holder, prefix: str, node: ast.AST) -> None:
        """Note that what one holder holds flows into another, or out of it."""
        self.reach(other, prefix, node)
        self._links[self.find(other)] = self.find(one)

    def problem(self, holder: Holder, problem: Problem) -> None:
        """Note why what a holder holds cannot be converted."""
        self.facts[holder].problems.append(problem)

    def goes(self, holder: Holder, statement: ast.stmt) -> None:
        """Record a statement that is deleted when the config is converted."""
        self.facts[holder].statements.append(statement)

    def gives_none(self, holder: Holder, node: ast.AST, targets: Sequence[ast.expr]) -> None:
        """Note an assignment of None to a holder, by these of its targets; others keep it."""
        facts = self.facts[holder]
        facts.nones.append(node)
        if isinstance(node, ast.Assign) and len(node.targets) > 1:
            facts.targets.extend(targets)
        elif isinstance(node, ast.stmt):
            facts.statements.append(node)
