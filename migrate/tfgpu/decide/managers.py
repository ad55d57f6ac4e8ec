"""What sees exceptions without a handler, or is told of them: managers, `finally`, tests."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from tfgpu.code.swallowers import EXITS, is_builtin, may_swallow, mentions
from tfgpu.code.tree import Tree, last_name
from tfgpu.flow.collect import Analysis

# They give the exception that is on its way; those of `_PRINTERS` write it to where they are told.
_SEERS = frozenset(["exc_info", "format_exc"])
_PRINTERS = frozenset(["print_exc", "print_exception"])


def may_see(manager: ast.expr, analysis: Analysis) -> bool:
    """Tell whether a manager, or a decorator, may end an exception or look at it."""
    if may_swallow(manager, analysis.tree, analysis.symbols):
        return True
    called = manager.func if isinstance(manager, ast.Call) else manager
    if analysis.symbols.name(called) is not None or is_builtin(called, analysis.tree):
        return False
    return _has_lookers(analysis.tree)


@lru_cache(maxsize=1)
def _has_lookers(tree: Tree) -> bool:
    """Tell whether the program has a manager that looks at exceptions."""
    exits = (function for name in EXITS for function in tree.functions.get(name, ()))
    ends = (node for node in tree.nodes(ast.Try) if sees_at_the_end(node, tree))
    return any(_looks(function, tree) for function in exits) or any(
        isinstance(item, ast.Yield | ast.YieldFrom)
        for node in ends
        for part in node.body
        for item in ast.walk(part)
    )


def sees_at_the_end(statement: ast.Try, tree: Tree) -> bool:
    """Tell whether `finally` looks at the exception that is on its way, or a function it calls."""
    names = _seeing_functions(tree)
    return any(
        _is_seen(node) or (isinstance(node, ast.Call) and last_name(node.func) in names)
        for part in statement.finalbody
        for node in ast.walk(part)
    )


@lru_cache(maxsize=1)
def _seeing_functions(tree: Tree) -> frozenset[str]:
    """Return the names of the functions that look at such an exception, and of their callers."""
    named = [node for word in (*_SEERS, *_PRINTERS) for node in tree.names.get(word, ())]
    read = [node for word in (*_SEERS, *_PRINTERS) for node in tree.attributes.get(word, ())]
    waiting: list[ast.AST] = [node for node in (*named, *read) if _is_seen(tree.parent[node])]
    found: set[str] = set()
    while waiting:
        name = getattr(tree.function(waiting.pop()).node, "name", "")
        if name and name not in found:
            found.add(name)
            waiting += (*tree.names.get(name, ()), *tree.attributes.get(name, ()))
    return frozenset(found)


def _is_seen(node: ast.AST) -> bool:
    """Tell whether an expression gives the exception that is on its way, or writes it somewhere."""
    if not isinstance(node, ast.Call):
        return False
    name = last_name(node.func)
    return name in _SEERS or (name in _PRINTERS and bool(node.keywords))


def _looks(function: ast.AST, tree: Tree) -> bool:
    """Tell whether a method that is given an exception looks at more than that there is one."""
    arguments = getattr(function, "args", None)
    given = arguments.args[1:] if arguments is not None else []
    names = {item.arg for item in given}
    names |= {arguments.vararg.arg} if arguments is not None and arguments.vararg else set()
    return any(
        _is_seen(node)
        or (
            isinstance(node, ast.Name)
            and node.id in names
            and not _is_condition(node, tree.parent[node])
            and not _is_handed_on(node, tree)
        )
        for node in ast.walk(function)
    )


def _is_condition(node: ast.expr, parent: ast.AST) -> bool:
    """Tell whether of a value it is only asked whether there is one."""
    if isinstance(parent, ast.Compare):
        return isinstance(parent.comparators[0], ast.Constant)
    is_not = isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.Not)
    return is_not or (isinstance(parent, ast.If | ast.IfExp) and parent.test is node)


def _is_handed_on(node: ast.expr, tree: Tree) -> bool:
    """Tell whether a value is only handed to the manager inside of a manager."""
    parent = tree.parent[node]
    call = tree.parent[parent] if isinstance(parent, ast.Starred) else parent
    return isinstance(call, ast.Call) and last_name(call.func) in EXITS


def callers(analysis: Analysis) -> Iterator[ast.stmt]:
    """Yield the statements in which a swallower calls a function: `assertRaises(Error, train)`."""
    for node in mentions(analysis.tree, analysis.symbols):
        statement = analysis.tree.statement(node)
        if _is_called_alone(node, analysis.tree):
            yield statement


def _is_called_alone(node: ast.expr, tree: Tree) -> bool:
    call = tree.parent[node]
    return (
        isinstance(call, ast.Call) and call.func is node and isinstance(tree.parent[call], ast.Expr)
    )
