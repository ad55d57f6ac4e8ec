"""Assumptions of a conversion that static analysis cannot prove.

Such a conversion is made with unsafe fixes, or kept by a run in which every assumption held.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.order import Order
from tfgpu.code.tree import Tree
from tfgpu.dataclass import dataclass
from tfgpu.flow.facts import Doubt, Made, Sink
from tfgpu.flow.reasons import Problem

# In words, with where it starts and where it ends.
_WORDS = {
    "no-session-before": "no session is made before the one in {place}",
    "no-eager-context-before": "nothing makes TensorFlow 2's eager context before {place}",
    "no-environment-write-between": (
        "no variable that CUDA reads, or XLA, is written between {place} and {until}"
    ),
    "no-fork-between": "no process is forked between {place} and {until}",
    "no-fork-behind": "no process is forked once {place} is reached",
    "never-behind": "{place} is not reached after {until}",
    "graph-mode": "TensorFlow runs in graph mode where {place} is reached",
    "once": "{place} is reached once",
    "value-in-range": "{field} is from {least:g} to {most:g}, as {place} sets it",
    "session-behind": "a session is made once {place} is reached",
    "value-true": "`{expression}` is true in {place}",
    "value-set": "`{expression}` is set whenever {place} is reached",
    "value-same": "`{expression}` has the same value whenever {place} is reached",
    "known-callers": "`{name}` is called from {callers} only",
}


# What reads values only.
_READABLE = (ast.Name, ast.Attribute, ast.Constant, ast.UnaryOp, ast.unaryop, ast.expr_context)
# So many callers are named.
_MOST_CALLERS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Assumption:
    """One assumption: `problem` keeps the config if it does not hold.

    `kind` is one of those that the recorder of `verify` can check, about what comes before `place`,
    or between that and `until`, or about the `callers` of the function that begins at `place`, or
    about the `field` that is set there and lies `within` two values, or about the
    `expression` there. What is said of a session goes for all that its statement runs before one of
    the calls `sessions` makes it; `in_front`, a place ends where its statement begins.
    """

    problem: Problem
    kind: str
    place: ast.AST
    until: ast.AST | None = None
    callers: tuple[ast.expr, ...] = ()
    field: str = ""
    within: tuple[float, float] = (0, 0)
    expression: str = ""
    sessions: tuple[ast.expr, ...] = ()
    in_front: bool = False

    def key(self, tree: Tree) -> tuple[str, str, str]:
        """Return what tells it from others, in every run of the tool: its kind and its places."""
        until = "" if self.until is None else line_of(self.until, tree)
        return self.kind, line_of(self.place, tree), until

    def words(self, tree: Tree) -> str:
        """Return the assumption in words."""
        until = "" if self.until is None else tree.where(self.until)
        same = self.until is not None and tree.statement(self.until) is tree.statement(self.place)
        words = "once" if self.kind == "never-behind" and same else self.kind
        places = list(dict.fromkeys(map(tree.where, self.callers)))
        more = f" and {len(places) - _MOST_CALLERS} more" if len(places) > _MOST_CALLERS else ""
        return _WORDS[words].format(
            place=tree.where(self.place),
            until=until,
            field=self.field.rpartition(".")[2],
            least=self.within[0],
            most=self.within[1],
            expression=self.expression,
            name=getattr(tree.function(self.place).node, "name", ""),
            callers=f"{', '.join(places[:_MOST_CALLERS])}{more}" or "nowhere",
        )


def line_of(node: ast.AST, tree: Tree) -> str:
    """Return file and line of the statement of a node."""
    return f"{tree.file(node).path}:{tree.statement(node).lineno}"


def calls_of(made: Made) -> tuple[ast.expr, ...]:
    """Return the calls in which a session is in truth made, however deep in the program."""
    if not isinstance(made, Sink):
        return (made.made,)
    return tuple(dict.fromkeys(call for end in made.ends() for call in (end.call, end.made)))


def unless_started(node: ast.AST, problem: Problem) -> Assumption:
    """Return a problem that exists if the eager context is made before settings act at a node.

    Those that were moved stand in front of the whole statement.
    """
    in_front = isinstance(node, ast.stmt)
    return Assumption(problem, "no-eager-context-before", node, in_front=in_front)


def is_readable(node: ast.expr) -> bool:
    """Tell whether a run may be asked for the value of an expression: that calls nothing."""
    return all(isinstance(item, _READABLE) for item in ast.walk(node))


def unless_called(doubt: Doubt, order: Order) -> Problem | Assumption:
    """Return a problem that exists if unknown calls run a function."""
    first = next(item for item in doubt.function.body if not _is_text(item))
    if not all(map(order.is_watchable, (first, *doubt.calls))):
        return doubt.problem
    return Assumption(doubt.problem, "known-callers", first, callers=doubt.calls)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def unless_behind(
    late: ast.AST, early: ast.AST, problem: Problem, order: Order
) -> Problem | Assumption:
    """Return a problem that exists if one place is reached after another one."""
    if order.follows(early, late) or not order.is_watchable(late):
        return problem
    return Assumption(problem, "never-behind", late, early)


def unless_together(
    one: ast.AST, other: ast.AST, problem: Problem, order: Order
) -> Iterator[Problem | Assumption]:
    """Yield a problem that exists if two places are reached in one run."""
    yield unless_behind(one, other, problem, order)
    yield unless_behind(other, one, problem, order)
