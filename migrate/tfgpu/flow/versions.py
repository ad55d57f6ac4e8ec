"""Which assignment a variable has its value from, where one name stands for several configs.

`config = tf.ConfigProto(...)` may stand twice in a function, each with a session behind it. Where
it is certain for each use which assignment it finds, each has a holder of its own.
"""

from __future__ import annotations

import ast
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from tfgpu.code.index import Binding, Scope, Variable
from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import LOOPS, Tree, assigns_one
from tfgpu.code.values import Values
from tfgpu.dataclass import dataclass
from tfgpu.flow.locations import Holder


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """The bindings of a variable that count as one, and what reads the value that they give."""

    bindings: list[Binding]
    uses: list[ast.expr]


class Versions:
    """The holders of variables: one for each, or for each assignment that uses find."""

    def __init__(self, tree: Tree, symbols: Symbols, values: Values) -> None:
        self._tree = tree
        self._symbols = symbols
        self._values = values
        self._known: dict[Variable, list[Version]] = {}
        # Of variables with several: which one a use, or an assignment, belongs to.
        self._numbers: dict[tuple[Variable, ast.AST], int] = {}

    def holder(self, node: ast.AST, variable: Variable) -> Holder:
        """Return the holder of a variable where a node reads it, or binds it."""
        self._of(variable)
        numbers = (self._numbers.get((variable, item)) for item in (node, self._tree.parent[node]))
        number = next((number for number in numbers if number is not None), 0)
        return f"name {number}", *variable

    def version(self, holder: Holder) -> Version:
        """Return what a holder of a variable has of that."""
        kind, scope, name = holder
        assert isinstance(scope, Scope)
        return self._of((scope, name))[int(kind.partition(" ")[2])]

    def _of(self, variable: Variable) -> list[Version]:
        if variable not in self._known:
            scope, name = variable
            bindings, uses = scope.bindings[name], list(self._symbols.uses(variable))
            found = self._apart(variable, bindings, uses)
            self._known[variable] = found or [Version(bindings, uses)]
            for number, version in enumerate(found):
                nodes = [*version.uses, *(item.node for item in version.bindings)]
                self._numbers.update(((variable, node), number) for node in nodes)
        return self._known[variable]

    def _apart(
        self, variable: Variable, bindings: list[Binding], uses: list[ast.expr]
    ) -> list[Version]:
        """Return each assignment with its uses; nothing where that is not certain."""
        scope = variable[0]
        made = [item for item in bindings if not self._is_none(item)]
        if len(made) < 2 or not all(self._is_simple(item, scope) for item in bindings):
            return []
        if self._symbols.users(variable) or self._symbols.is_replaced(variable):
            return []
        found = {item.node: Version([item], []) for item in made}
        assignments = Assignments([item.node for item in bindings], self._tree)
        for use in uses:
            source = assignments.source(use) if self._tree.scope(use) is scope else None
            if source not in found:
                return []
            found[source].uses.append(use)
        position = self._tree.position
        for item in bindings:
            if item not in made:
                # What is None before goes with the config that takes its place.
                behind = [one.node for one in made if position(one.node) > position(item.node)]
                owner = min(behind, key=position, default=made[-1].node)
                found[owner].bindings.append(item)
        return list(found.values())

    def _is_none(self, binding: Binding) -> bool:
        return binding.value is not None and self._values.is_none(binding.value)

    def _is_simple(self, binding: Binding, scope: Scope) -> bool:
        """Tell whether a binding is an assignment in the code of its scope itself."""
        node = binding.node
        return (
            isinstance(node, ast.Assign | ast.AnnAssign)
            and binding.value is not None
            and scope.kind in ("function", "module")
            and self._tree.scope(node) is scope
            and (assigns_one(node) or self._is_none(binding))
        )


class Assignments:
    """The assignments of a variable in one scope, and which of them a use finds."""

    def __init__(self, nodes: Iterable[ast.AST], tree: Tree) -> None:
        self._tree = tree
        self._all = sorted((node for node in nodes if isinstance(node, ast.stmt)), key=self._at)
        self._places = list(map(self._at, self._all))
        self._in_block: dict[int, list[ast.stmt]] = {}
        for node in self._all:
            self._in_block.setdefault(id(tree.block(node)), []).append(node)

    def source(self, use: ast.expr) -> ast.stmt | None:
        """Return the assignment that a use certainly finds, None where it may find another one.

        That stands before it in the same block, or before what the use is in, and none between them
        is reached in front of the use, nor, by way of a loop, one behind it.
        """
        tree = self._tree
        statement = tree.statement(use)
        source = self._before(statement)
        if source is None:
            return None
        first = bisect_right(self._places, self._at(source))
        between = self._all[first : bisect_left(self._places, self._at(statement))]
        if not all(tree.exclusive(other, use) for other in between):
            return None
        around = self._loops(use) - self._loops(source)
        if around and any(around & self._loops(other) for other in self._all[first:]):
            return None
        return source

    def _before(self, statement: ast.stmt) -> ast.stmt | None:
        """Return the last assignment that has been made whenever a statement is reached."""
        found: list[ast.stmt] = []
        for around in (statement, *self._tree.within(statement)):
            if isinstance(around, ast.stmt):
                block = self._in_block.get(id(self._tree.block(around)), ())
                found += (node for node in block if self._at(node) < self._at(around))
        return max(found, key=self._at, default=None)

    def _at(self, node: ast.AST) -> tuple[int, int]:
        return self._tree.position(node)

    def _loops(self, node: ast.AST) -> set[ast.AST]:
        return {around for around in self._tree.within(node) if isinstance(around, LOOPS)}
