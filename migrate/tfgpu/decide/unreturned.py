"""Configs that a function hands on to its caller on some of its ways only.

Its end gives None, and an exception that is caught further out leaves the caller with what it had.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfgpu.code.ends import may_end, may_end_behind, may_fail
from tfgpu.code.order import Order
from tfgpu.code.swallowers import is_builtin, leaves
from tfgpu.code.tree import TRY
from tfgpu.decide.decision import Draft
from tfgpu.flow.collect import Analysis
from tfgpu.flow.reasons import NotHandedOn


def unreturned(decision: Draft, analysis: Analysis, order: Order) -> Iterator[NotHandedOn]:
    """Find functions that build a config, or return one, and may not give it their caller."""
    tree, config = analysis.tree, decision.config
    found: dict[ast.AST, list[ast.stmt]] = {}
    sets = {item.statement for item in config.settings if isinstance(item.node, ast.Attribute)}
    for statement in config.statements:
        if statement in sets:
            continue
        if isinstance(statement, ast.Return) or _is_seen_outside(statement, analysis):
            found.setdefault(tree.function(statement).node, []).append(statement)
    for statement in sets:
        # What is seen outside already lacks the settings that are still to come.
        shown = found.get(tree.function(statement).node, [])
        if any(not isinstance(item, ast.Return) for item in shown):
            shown.append(statement)
    made = [*config.built, *(call for call, _ in config.calls)]
    for function, statements in found.items():
        name = getattr(function, "name", "the module")
        inside = [node for node in made if tree.function(node).node is function]
        returns = [item for item in statements if isinstance(item, ast.Return)]
        for node in inside:
            ends = bool(returns) and may_end_behind(node, tree, config.built)
            if ends or _may_be_lost(node, statements, decision, analysis, order):
                yield NotHandedOn(node, name)
        for item in returns:
            if _is_dropped(item, decision, analysis, order):
                yield NotHandedOn(item, name)
        if returns and isinstance(function, ast.FunctionDef) and may_end(function, tree):
            others = (item for item in returns if not _is_made_inside(item, inside, analysis))
            yield from (NotHandedOn(item, name) for item in others)


def _is_seen_outside(statement: ast.stmt, analysis: Analysis) -> bool:
    """Tell whether a statement assigns to an attribute, or to a variable of the module."""
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    is_outside = isinstance(analysis.tree.function(statement).node, ast.Module)
    return not is_outside and any(
        isinstance(target, ast.Attribute)
        or (
            isinstance(target, ast.Name)
            and (owner := analysis.tree.owner(target.id, analysis.tree.scope(target))) is not None
            and owner.kind == "module"
        )
        for target in targets
    )


def _is_made_inside(statement: ast.Return, inside: list[ast.expr], analysis: Analysis) -> bool:
    """Tell whether a function returns what it has built, or a variable of its own."""
    value = statement.value
    if isinstance(value, ast.Name):
        owner = analysis.tree.owner(value.id, analysis.tree.scope(value))
        return bool(inside) and owner is not None and owner.kind == "function"
    return not isinstance(value, ast.Attribute)


def _may_be_lost(
    node: ast.expr, ends: list[ast.stmt], decision: Draft, analysis: Analysis, order: Order
) -> bool:
    """Tell whether what is built may fail to get out of its function, and a session comes later."""
    between = failing(node, ends, decision, analysis)
    return any(_is_survived(one, decision, analysis, order) for one in between)


def failing(
    node: ast.AST, ends: Sequence[ast.stmt], decision: Draft, analysis: Analysis
) -> list[ast.stmt]:
    """Return what may fail from a place to the last of some statements of its function."""
    tree, position = analysis.tree, analysis.tree.position
    start = position(tree.statement(node))
    last = max(map(position, ends))
    return [
        item
        for item in ast.walk(tree.function(node).node)
        if isinstance(item, ast.stmt)
        and start < position(item) < last
        and may_fail(item, decision.config.built)
    ]


def _is_dropped(statement: ast.Return, decision: Draft, analysis: Analysis, order: Order) -> bool:
    """Tell whether what runs behind a `return`, on the way out, may drop what it returns.

    A `finally` that jumps or fails, a manager that fails when it is left.
    """
    child: ast.AST = statement
    for around in analysis.tree.within(statement):
        if isinstance(around, TRY) and child not in around.finalbody:
            if any(map(leaves, around.finalbody)):
                return True
            failing = (one for one in around.finalbody if may_fail(one, ()))
            if any(_is_survived(one, decision, analysis, order) for one in failing):
                return True
        if (
            isinstance(around, ast.With | ast.AsyncWith)
            and not all(_is_safe(item.context_expr, analysis) for item in around.items)
            and _is_survived(around, decision, analysis, order)
        ):
            return True
        if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
            break
        child = around
    return False


def _is_safe(manager: ast.expr, analysis: Analysis) -> bool:
    """Tell whether a manager does not fail when it is left: TensorFlow's, a file."""
    called = manager.func if isinstance(manager, ast.Call) else manager
    name = analysis.symbols.name(called) or ""
    return name.startswith("tf.") or is_builtin(called, analysis.tree)


def _is_survived(statement: ast.stmt, decision: Draft, analysis: Analysis, order: Order) -> bool:
    """Tell whether an exception of a statement may be caught, and a session be made behind that."""
    from tfgpu.decide.survival import survivors  # noqa: PLC0415 - few need it

    return any(
        _may_follow(sink.made, item, analysis, order)
        for item in survivors(statement, analysis, order)
        for sink in decision.config.sinks
    )


def _may_follow(session: ast.AST, caught: ast.AST, analysis: Analysis, order: Order) -> bool:
    """Tell whether a session may be made behind a statement that caught an exception."""
    chains = order.chains(session)
    return chains is None or any(
        all(caught not in analysis.tree.within(step) for _, step in chain) for chain in chains
    )
