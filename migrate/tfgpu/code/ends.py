"""Which ways lead through statements: to the end of a function, without a `return`, or nowhere."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence

from tfgpu.code.tree import TRY, Tree

_WAYS_OUT = (
    ast.Return, ast.Raise, ast.Assert, ast.Break, ast.Continue,
    ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith,
)  # fmt: skip


def may_end(function: ast.FunctionDef | ast.AsyncFunctionDef, tree: Tree) -> bool:
    """Tell whether some way through a function comes to its end."""
    return _goes_on(function.body, tree)


def is_unreachable(statement: ast.stmt, tree: Tree) -> bool:
    """Tell whether no way leads to a statement: it stands behind a `return`, or its like."""
    home = tree.function(statement).node
    around: ast.AST = statement
    while around is not home:
        if isinstance(around, ast.stmt):
            block = tree.block(around)
            before = block[: block.index(around)]
            if not _goes_on(before, tree) or any(map(_leaves_loop, before)):
                return True
        around = tree.parent[around]
    return False


def may_leave(statement: ast.stmt) -> bool:
    """Tell whether a statement may lead out of its block, other than by an exception of a call."""
    return any(isinstance(node, _WAYS_OUT) for node in ast.walk(statement))


def _leaves_loop(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Break | ast.Continue)


def may_end_behind(node: ast.AST, tree: Tree, built: Collection[ast.AST]) -> bool:
    """Tell whether some way from a node comes to the end of its function.

    What is `built` are messages, of which the constructors do not fail.
    """
    home = tree.function(node).node
    child: ast.AST = tree.statement(node)
    goes_on, rest = True, [tree.statement(node)]
    while child is not home:
        if isinstance(child, ast.stmt):
            block = tree.block(child)
            rest = [*rest, *block[block.index(child) + 1 :]]
            goes_on = goes_on and _goes_on(rest, tree)
        around = tree.parent[child]
        if _is_caught(around, child, tree) and any(may_fail(one, built) for one in rest):
            goes_on = True
        if isinstance(around, ast.While) and not _passes(around, tree):
            goes_on = False
        child, rest = around, []
    return goes_on


def may_fail(statement: ast.stmt, built: Collection[ast.AST]) -> bool:
    """Tell whether a statement does more than to build a message, set a field, or return."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Return | ast.Pass):
        return True
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    simple = (ast.Name, ast.Attribute, ast.Constant, ast.keyword, ast.expr_context)
    parts = [part for part in (*targets, getattr(statement, "value", None)) if part is not None]
    return any(isinstance(one, ast.Tuple | ast.List | ast.Subscript) for one in targets) or not all(
        isinstance(node, simple) or node in built for part in parts for node in ast.walk(part)
    )


def _is_caught(around: ast.AST, child: ast.AST, tree: Tree) -> bool:
    """Tell whether the program may go on behind a compound statement in which another one fails."""
    if isinstance(around, TRY) and child in around.body:
        return any(_goes_on(handler.body, tree) for handler in around.handlers)
    return around in tree.swallowing


def _goes_on(block: Sequence[ast.stmt], tree: Tree) -> bool:
    """Tell whether some way leads through a block; `break` leads out of a loop, which is one."""
    return all(_passes(statement, tree) for statement in block)


def _passes(statement: ast.stmt, tree: Tree) -> bool:
    """Tell whether what stands behind a statement may be reached from it."""
    if isinstance(statement, ast.Return | ast.Raise):
        return False
    if isinstance(statement, ast.If):
        return _goes_on(statement.body, tree) or _goes_on(statement.orelse, tree)
    if isinstance(statement, ast.With | ast.AsyncWith):
        return statement in tree.swallowing or _goes_on(statement.body, tree)
    if isinstance(statement, TRY):
        return _goes_on(statement.finalbody, tree) and (
            _goes_on([*statement.body, *statement.orelse], tree)
            or any(_goes_on(handler.body, tree) for handler in statement.handlers)
        )
    if isinstance(statement, ast.While):
        endless = isinstance(statement.test, ast.Constant) and bool(statement.test.value)
        return not endless or any(isinstance(node, ast.Break) for node in ast.walk(statement))
    if isinstance(statement, ast.Match):
        others = [
            case
            for case in statement.cases
            if case.guard is None and isinstance(case.pattern, ast.MatchAs)
        ]
        taken = any(getattr(case.pattern, "pattern", None) is None for case in others)
        return not taken or any(_goes_on(case.body, tree) for case in statement.cases)
    return True
