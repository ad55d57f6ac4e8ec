"""What ends exceptions without a handler: managers, decorators, helpers of tests."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import lru_cache

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import TRY, Tree, last_name

# Of libraries.
_SWALLOWERS = frozenset(
    [
        "suppress", "raises", "assertRaises", "assertRaisesRegex", "assertRaisesRegexp",
        "assertRaisesOpError", "assertRaisesWithPredicateMatch", "assertRaisesWithLiteralMatch",
        "assertRaisesMessage", "failUnlessRaises", "assert_raises", "assert_raises_regex",
        "subTest", "ExitStack", "AsyncExitStack", "expectedFailure", "xfail", "retry",
        "on_exception", "stop_on_exception",
    ]
)  # fmt: skip
# They end an exception where they return something true.
EXITS = frozenset(["__exit__", "__aexit__"])
_LEAVES = (ast.Return, ast.Break, ast.Continue)
_BUILTINS = frozenset(dir(builtins))


def swallowing(tree: Tree, symbols: Symbols) -> Iterator[ast.With | ast.AsyncWith]:
    """Yield the `with` statements that may end an exception, which leaves out the rest of it."""
    found: list[ast.With | ast.AsyncWith] = [*tree.nodes(ast.With), *tree.nodes(ast.AsyncWith)]
    for statement in found:
        if any(may_swallow(item.context_expr, tree, symbols) for item in statement.items):
            yield statement


def may_swallow(manager: ast.expr, tree: Tree, symbols: Symbols) -> bool:
    """Tell whether a manager, or a decorator, may end an exception."""
    called = manager.func if isinstance(manager, ast.Call) else manager
    if _is_swallower(called, symbols):
        return True
    if symbols.name(called) is not None or is_builtin(called, tree):
        return False
    # Which of the program's managers it is, is not asked.
    return _has_swallowers(tree, symbols)


def leaves_at_the_end(statement: ast.Try) -> bool:
    """Tell whether `finally` drops exceptions: it returns, breaks or continues."""
    return any(map(leaves, statement.finalbody))


def leaves(node: ast.AST) -> bool:
    """Tell whether code may leave a function or loop, and so drop an exception."""
    return any(isinstance(item, _LEAVES) for item in ast.walk(node))


def _is_swallower(node: ast.expr, symbols: Symbols) -> bool:
    name = symbols.name(node)
    return last_name(node) in _SWALLOWERS or (name or "").rpartition(".")[2] in _SWALLOWERS


def is_builtin(node: ast.expr, tree: Tree) -> bool:
    """Tell whether a name is Python's own: `open`, `property`."""
    return tree.builtin(node) in _BUILTINS


@lru_cache(maxsize=1)
def _has_swallowers(tree: Tree, symbols: Symbols) -> bool:
    """Tell whether the program has a manager that ends exceptions, its own or one of a library.

    One of a library that stands in a `with` right away is that of this statement only.
    """
    exits = (function for name in EXITS for function in tree.functions.get(name, ()))
    given = (
        node
        for name in EXITS
        for node in (*tree.names.get(name, ()), *tree.attributes.get(name, ()))
    )
    yields: list[ast.Yield | ast.YieldFrom] = [*tree.nodes(ast.Yield), *tree.nodes(ast.YieldFrom)]
    return (
        any(map(_returns_something, exits))
        or any(isinstance(node.ctx, ast.Store) for node in given)
        # `setattr(Guard, "__exit__", ...)`, `type("Guard", (), {"__exit__": ...})`
        or any(name in tree.texts for name in EXITS)
        or any(_is_caught(node, tree) for node in yields)
        or any(not _is_used_here(node, tree) for node in mentions(tree, symbols))
    )


def mentions(tree: Tree, symbols: Symbols) -> Iterator[ast.expr]:
    """Yield the places that name a swallower of a library."""
    names = {item.name for item in tree.imports if item.path.rpartition(".")[2] in _SWALLOWERS}
    for name in sorted(names):
        for node in tree.names.get(name, ()):
            if _is_swallower(node, symbols):
                yield node
    for name in sorted(_SWALLOWERS):
        yield from tree.attributes.get(name, ())


def _is_used_here(node: ast.expr, tree: Tree) -> bool:
    """Tell whether a swallower is used where it is named: in a `with`, as decorator, for a call."""
    parent = tree.parent[node]
    if isinstance(parent, ast.Call) and parent.func is node:
        node, parent = parent, tree.parent[parent]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return isinstance(parent, ast.withitem | ast.Expr) or (
        isinstance(parent, functions) and node in parent.decorator_list
    )


def _returns_something(function: ast.AST) -> bool:
    return any(
        isinstance(item, ast.Return)
        and item.value is not None
        and not (isinstance(item.value, ast.Constant) and not item.value.value)
        for item in ast.walk(function)
    )


def _is_caught(node: ast.Yield | ast.YieldFrom, tree: Tree) -> bool:
    """Tell whether a function catches what is raised at its `yield`, or drops it at the end."""
    child: ast.AST = node
    caught = False
    for around in tree.within(node):
        if isinstance(around, TRY):
            handled = bool(around.handlers) and child in around.body
            caught = caught or handled or leaves_at_the_end(around)
        elif caught and isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
            return around.name not in EXITS
        child = around
    return False
