"""In which order the parts of one statement are evaluated: mostly, not always, that of the text."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.sites import INLINE
from tfgpu.code.tree import Tree

_COMPREHENSIONS = (*INLINE, ast.GeneratorExp)


def comes_first(one: ast.AST, other: ast.AST, tree: Tree) -> bool:
    """Tell whether one of two nodes of a function has its turn before another, apart from it.

    The test of a conditional expression, the first iterable of a comprehension and the value of an
    assignment stand behind what they precede.
    """
    return _turn(one, other, tree) < _turn(other, one, tree)


def earlier_in_statement(node: ast.AST, tree: Tree) -> Iterator[ast.expr]:
    """Yield what the statement around an expression evaluates first, though it stands behind it."""
    around = {node, *tree.within(node)}
    for other in _beside(node, tree):
        behind = other not in around and tree.position(other) > tree.position(node)
        if behind and comes_first(other, node, tree):
            yield other


def later_in_statement(node: ast.AST, tree: Tree) -> Iterator[ast.expr]:
    """Yield what the statement around an expression evaluates after it, though it stands before."""
    around = {node, *tree.within(node)}
    for other in _beside(node, tree):
        ahead = other not in around and tree.position(other) < tree.position(node)
        if ahead and comes_first(node, other, tree):
            yield other


def _beside(node: ast.AST, tree: Tree) -> Iterator[ast.expr]:
    """Yield the other expressions of a statement that the same function evaluates."""
    statement, scope = tree.statement(node), tree.function(node)
    inside = set(ast.walk(node))
    waiting = [child for child in ast.iter_child_nodes(statement) if child not in inside]
    while waiting:
        other = waiting.pop()
        if isinstance(other, ast.stmt | ast.ExceptHandler | ast.match_case):
            continue
        waiting += [child for child in ast.iter_child_nodes(other) if child not in inside]
        if isinstance(other, ast.expr) and tree.function(other) is scope:
            yield other


def _turn(node: ast.AST, other: ast.AST, tree: Tree) -> tuple[int, tuple[int, int]]:
    """Return when a node of a function has its turn, to be compared with that of another one."""
    shared = set(tree.within(other))
    child = node
    for around in tree.within(node):
        if around in shared:
            first: ast.AST | None = None
            if isinstance(around, ast.IfExp):
                first = around.test
            elif isinstance(around, _COMPREHENSIONS):
                first = around.generators[0]
            elif isinstance(around, ast.Assign | ast.AnnAssign):
                first = around.value
            elif isinstance(around, ast.Call):
                # `f(x=a(), *b())` looks at positional arguments first.
                return int(isinstance(child, ast.keyword)), tree.position(node)
            return int(first is not None and child is not first), tree.position(node)
        child = around
    return 0, tree.position(node)


def loop_before(node: ast.AST, other: ast.AST, tree: Tree) -> ast.stmt | None:
    """Return the outermost loop around a node that ends before another one in its function."""
    around, scope = set(tree.within(other)), tree.function(node)
    loops = [
        item
        for item in tree.within(node)
        if isinstance(item, ast.For | ast.AsyncFor | ast.While)
        and item not in around
        and tree.function(item) is scope
    ]
    return loops[-1] if loops else None
