"""Configs that a function returns on some of its ways only: its end gives None."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.ends import may_end, may_end_behind
from tfgpu.decide.decision import Draft
from tfgpu.flow.collect import Analysis


def unreturned(decision: Draft, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield where a config is built, or returned, that a function may not give its caller."""
    tree, config = analysis.tree, decision.config
    found: dict[ast.AST, list[ast.Return]] = {}
    for statement in config.statements:
        if isinstance(statement, ast.Return):
            found.setdefault(tree.function(statement).node, []).append(statement)
    made = [*config.built, *(call for call, _ in config.calls)]
    for function, returns in found.items():
        inside = [node for node in made if tree.function(node).node is function]
        yield from (node for node in inside if may_end_behind(node, tree))
        assert isinstance(function, ast.FunctionDef)
        if may_end(function, tree):
            yield from (item for item in returns if not _is_made_inside(item, inside, analysis))


def _is_made_inside(
    statement: ast.Return, inside: list[ast.expr] | list[ast.Call], analysis: Analysis
) -> bool:
    """Tell whether a function returns what it has built, or a variable of its own."""
    value = statement.value
    if isinstance(value, ast.Name):
        owner = analysis.tree.owner(value.id, analysis.tree.scope(value))
        return bool(inside) and owner is not None and owner.kind == "function"
    return not isinstance(value, ast.Attribute)
