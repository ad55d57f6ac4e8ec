"""Configs into which another message is copied, by `CopyFrom` or `MergeFrom`, in some runs only.

The settings of a message that is built elsewhere take effect there, whether or not it is copied: so
it has to be, before any session is made with the config.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.order import Order
from tfgpu.decide.decision import Draft
from tfgpu.flow.collect import Analysis

# What may leave a function, or go on with a loop, in front of a place in it.
_LEAVES = (
    ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await,
)  # fmt: skip


def left_out(decision: Draft, analysis: Analysis, order: Order) -> Iterator[ast.Call]:
    """Yield copies into a config that a session with it may come before, or do without."""
    for call in decision.config.copies:
        made = (sink.made for sink in decision.config.sinks)
        if not all(_comes_first(call, session, decision, analysis, order) for session in made):
            yield call


def _comes_first(
    call: ast.Call, session: ast.AST, decision: Draft, analysis: Analysis, order: Order
) -> bool:
    """Tell whether a message was copied into a config whenever a session is made with that."""
    tree = analysis.tree
    home, around = tree.function(call), tree.guards(call)
    if tree.function(session) is home:
        behind = tree.position(call) < tree.position(session)
        if behind and tree.guards(session)[: len(around)] == around:
            return True
    elif any(_is_built_for(call, root, decision, analysis) for root in decision.config.roots):
        return True
    return order.always_after(session, call)


def _is_built_for(call: ast.Call, root: ast.Call, decision: Draft, analysis: Analysis) -> bool:
    """Tell whether a copy comes right behind the constructor of the config: no session is made."""
    tree = analysis.tree
    home, position = tree.function(call), tree.position
    if tree.function(root) is not home or tree.guards(root) != tree.guards(call):
        return False
    return not any(
        isinstance(node, (*_LEAVES, ast.Call))
        and position(root) < position(node) < position(call)
        and tree.function(node) is home
        and not (
            isinstance(node, ast.Call)
            and (tree.statement(node) in decision.config.statements or analysis.values.quiet(node))
        )
        for node in ast.walk(home.node)
    )
