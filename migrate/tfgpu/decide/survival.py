"""Whether a program may go on after an exception: handlers, and managers that swallow it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.tree import TRY, Tree, last_name
from tfgpu.flow.collect import Analysis

# Exceptions that end a program and are caught to say so.
_ENDS = frozenset(["KeyboardInterrupt", "SystemExit", "GeneratorExit"])
_SWALLOWERS = frozenset(
    [
        "suppress", "raises", "assertRaises", "assertRaisesRegex", "subTest",
        "ExitStack", "AsyncExitStack",
    ]
)  # fmt: skip
_LEAVES = (ast.Return, ast.Break, ast.Continue)
_EXITS = frozenset(["__exit__", "__aexit__"])


def may_survive(node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a statement around a node may swallow an exception that is raised there."""
    inside = node
    for around in analysis.tree.within(node):
        if isinstance(around, TRY) and _swallows(around, inside):
            return True
        if isinstance(around, ast.With | ast.AsyncWith) and any(
            _may_swallow(item.context_expr, analysis) for item in around.items
        ):
            return True
        inside = around
    return False


def _swallows(statement: ast.Try, inside: ast.AST) -> bool:
    if any(isinstance(item, _LEAVES) for each in statement.finalbody for item in ast.walk(each)):
        return True
    return inside in statement.body and any(map(_goes_on, statement.handlers))


def _goes_on(handler: ast.ExceptHandler) -> bool:
    """Tell whether the program goes on after a handler."""
    names = set() if handler.type is None else set(_last_names(handler.type))
    if names and names <= _ENDS:
        return False
    leaves = any(isinstance(item, _LEAVES) for item in ast.walk(handler))
    return leaves or not isinstance(handler.body[-1], ast.Raise)


def _last_names(node: ast.expr) -> Iterator[str]:
    """Yield the names of exceptions: `errors.OpError` is OpError."""
    for item in node.elts if isinstance(node, ast.Tuple) else [node]:
        yield last_name(item)


def _may_swallow(manager: ast.expr, analysis: Analysis) -> bool:
    """Tell whether a context manager may end an exception: one of the program's, or suppress."""
    called = manager.func if isinstance(manager, ast.Call) else manager
    if last_name(called) in _SWALLOWERS:
        return True
    if analysis.symbols.name(called) is not None:
        return False
    # Which of the program's managers it is, is not asked.
    tree = analysis.tree
    exits = (function for name in _EXITS for function in tree.functions.get(name, ()))
    return any(map(_returns_something, exits)) or any(
        _is_caught(node, tree) for node in tree.nodes(ast.Yield)
    )


def _returns_something(function: ast.AST) -> bool:
    return any(
        isinstance(item, ast.Return)
        and item.value is not None
        and not (isinstance(item.value, ast.Constant) and not item.value.value)
        for item in ast.walk(function)
    )


def _is_caught(node: ast.Yield, tree: Tree) -> bool:
    """Tell whether a function catches what is raised at its `yield`."""
    child: ast.AST = node
    caught = False
    for around in tree.within(node):
        if isinstance(around, TRY):
            caught = caught or (bool(around.handlers) and child in around.body)
        elif caught and isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
            return around.name not in _EXITS
        child = around
    return False
