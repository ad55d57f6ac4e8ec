"""What ends or sees exceptions without a handler: managers, decorators, helpers of tests."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from functools import lru_cache

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import TRY, Tree, last_name
from tfgpu.flow.collect import Analysis

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
_EXITS = frozenset(["__exit__", "__aexit__"])
_LEAVES = (ast.Return, ast.Break, ast.Continue)
_BUILTINS = frozenset(dir(builtins))
# They give the exception that is on its way; those of `_PRINTERS` write it to where they are told.
_SEERS = frozenset(["exc_info", "format_exc"])
_PRINTERS = frozenset(["print_exc", "print_exception"])


def may_swallow(manager: ast.expr, analysis: Analysis) -> bool:
    """Tell whether a manager, or a decorator, may end an exception."""
    called = manager.func if isinstance(manager, ast.Call) else manager
    if _is_swallower(called, analysis.symbols):
        return True
    if analysis.symbols.name(called) is not None or _is_builtin(called, analysis.tree):
        return False
    # Which of the program's managers it is, is not asked.
    return _has_swallowers(analysis.tree, analysis.symbols)


def may_see(manager: ast.expr, analysis: Analysis) -> bool:
    """Tell whether a manager, or a decorator, may end an exception or look at it."""
    if may_swallow(manager, analysis):
        return True
    called = manager.func if isinstance(manager, ast.Call) else manager
    if analysis.symbols.name(called) is not None or _is_builtin(called, analysis.tree):
        return False
    return _has_lookers(analysis.tree)


@lru_cache(maxsize=1)
def _has_lookers(tree: Tree) -> bool:
    """Tell whether the program has a manager that looks at exceptions."""
    exits = (function for name in _EXITS for function in tree.functions.get(name, ()))
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
    return isinstance(call, ast.Call) and last_name(call.func) in _EXITS


def leaves_at_the_end(statement: ast.Try) -> bool:
    """Tell whether `finally` drops exceptions: it returns, breaks or continues."""
    return any(map(leaves, statement.finalbody))


def leaves(node: ast.AST) -> bool:
    """Tell whether code may leave a function or loop, and so drop an exception."""
    return any(isinstance(item, _LEAVES) for item in ast.walk(node))


def callers(analysis: Analysis) -> Iterator[ast.stmt]:
    """Yield the statements in which a swallower calls a function: `assertRaises(Error, train)`."""
    for node in _mentions(analysis.tree, analysis.symbols):
        statement = analysis.tree.statement(node)
        if _is_called_alone(node, analysis.tree):
            yield statement


def _is_swallower(node: ast.expr, symbols: Symbols) -> bool:
    name = symbols.name(node)
    return last_name(node) in _SWALLOWERS or (name or "").rpartition(".")[2] in _SWALLOWERS


def _is_builtin(node: ast.expr, tree: Tree) -> bool:
    """Tell whether a name is Python's own: `open`, `property`."""
    return isinstance(node, ast.Name) and node.id in _BUILTINS and not tree.bindings(node)


@lru_cache(maxsize=1)
def _has_swallowers(tree: Tree, symbols: Symbols) -> bool:
    """Tell whether the program has a manager that ends exceptions, its own or one of a library.

    One of a library that stands in a `with` right away is that of this statement only.
    """
    exits = (function for name in _EXITS for function in tree.functions.get(name, ()))
    given = (
        node
        for name in _EXITS
        for node in (*tree.names.get(name, ()), *tree.attributes.get(name, ()))
    )
    yields: list[ast.Yield | ast.YieldFrom] = [*tree.nodes(ast.Yield), *tree.nodes(ast.YieldFrom)]
    return (
        any(map(_returns_something, exits))
        or any(isinstance(node.ctx, ast.Store) for node in given)
        # `setattr(Guard, "__exit__", ...)`, `type("Guard", (), {"__exit__": ...})`
        or any(item.value in _EXITS for item in tree.nodes(ast.Constant))
        or any(_is_caught(node, tree) for node in yields)
        or any(not _is_used_here(node, tree) for node in _mentions(tree, symbols))
    )


def _mentions(tree: Tree, symbols: Symbols) -> Iterator[ast.expr]:
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


def _is_called_alone(node: ast.expr, tree: Tree) -> bool:
    call = tree.parent[node]
    return (
        isinstance(call, ast.Call) and call.func is node and isinstance(tree.parent[call], ast.Expr)
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
            return around.name not in _EXITS
        child = around
    return False
