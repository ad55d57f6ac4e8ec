"""What a value is in Python 2, where that differs from Python 3 without an error: `1 / 2` is 0."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.tree import Tree
from tfgpu.flow import reasons
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Setting
from tfgpu.flow.reasons import Problem


def division_problems(settings: list[Setting], analysis: Analysis) -> Iterator[Problem]:
    """Find settings of Python 2 files whose value may be a whole number for being divided."""
    for setting in settings:
        if not analysis.tree.file(setting.node).floors:
            continue
        if any(_may_floor(node, analysis.tree) for node in _behind(setting.value.node, analysis)):
            yield reasons.Python2Division(setting.node, setting.value.node)


def _behind(node: ast.expr, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield the nodes of an expression, and of the values of the names in it."""
    waiting: list[ast.AST] = [node]
    seen = set()
    while waiting:
        for inner in ast.walk(waiting.pop()):
            yield inner
            if not isinstance(inner, ast.Name):
                continue
            variable = analysis.symbols.variable(inner)
            if variable is None or variable in seen:
                continue
            seen.add(variable)
            for binding in variable[0].bindings[variable[1]]:
                statement = analysis.tree.statement(binding.node)
                if isinstance(statement, ast.AugAssign):
                    waiting.append(statement)
                elif binding.value is not None:
                    waiting.append(binding.value)


def _may_floor(node: ast.AST, tree: Tree) -> bool:
    """Tell whether a division may be one of whole numbers."""
    if isinstance(node, ast.AugAssign):
        return isinstance(node.op, ast.Div) and not _is_float(node.value, tree)
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Div)
        and not (_is_float(node.left, tree) or _is_float(node.right, tree))
    )


def _is_float(node: ast.expr, tree: Tree) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float)
    if isinstance(node, ast.BinOp):
        arithmetic = isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div)
        return arithmetic and (_is_float(node.left, tree) or _is_float(node.right, tree))
    return isinstance(node, ast.Call) and tree.builtin(node.func) == "float"
