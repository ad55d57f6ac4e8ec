"""Whether a program may go on after an exception: handlers, and managers that swallow it.

Who runs code that is called from unknown places may catch its exceptions.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tfgpu.code.order import Order
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
# Exceptions that neither a session raises for its settings, nor a call of tf.config.
_OTHERS = _ENDS | {
    "AttributeError", "EOFError", "Empty", "FileNotFoundError", "Full", "IOError", "ImportError",
    "KeyError", "ModuleNotFoundError", "NameError", "OSError", "OutOfRangeError", "StopIteration",
}  # fmt: skip
_LEAVES = (ast.Return, ast.Break, ast.Continue)
_EXITS = frozenset(["__exit__", "__aexit__"])


# Whether it matters that a handler catches an exception.
_Matters = Callable[[ast.ExceptHandler], bool]


def may_survive(node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a statement around a node may swallow an exception that is raised there."""
    return any(True for _ in _around(node, analysis, _goes_on))


def survives(node: ast.AST, analysis: Analysis, order: Order) -> bool:
    """Tell whether the program may go on after an exception that is raised at a node."""
    return any(True for _ in _catching(node, analysis, order, _goes_on))


def catchers(node: ast.AST, analysis: Analysis, order: Order) -> Iterator[ast.AST]:
    """Yield what may catch what the settings of a session raise at a node.

    Handlers, or the statements that swallow exceptions without one.
    """
    for around in dict.fromkeys(_catching(node, analysis, order, _is_told)):
        if isinstance(around, TRY) and not _is_left_at_the_end(around):
            yield from filter(_is_told, around.handlers)
        else:
            yield around


def _catching(
    node: ast.AST, analysis: Analysis, order: Order, matters: _Matters
) -> Iterator[ast.AST]:
    """Yield the statements that may catch an exception raised at a node, wherever it is called."""
    chains = order.chains(node)
    for around, inner in _watched(analysis, matters) if chains is None else ():
        if order.share_process(around, node) and _runs_own_code(inner, analysis):
            yield around
    steps = {step: None for chain in chains or (((node, node),),) for _, step in chain}
    for step in steps:
        yield from _around(step, analysis, matters)


def _around(node: ast.AST, analysis: Analysis, matters: _Matters) -> Iterator[ast.AST]:
    """Yield the statements around a node that may catch an exception raised there."""
    inside = node
    for around in analysis.tree.within(node):
        if inside in _protected(around, analysis, matters):
            yield around
        inside = around


def _watched(analysis: Analysis, matters: _Matters) -> Iterator[tuple[ast.stmt, list[ast.AST]]]:
    """Yield the statements that may catch exceptions, each with the parts whose exceptions."""
    kinds: tuple[type[ast.stmt], ...] = (*TRY, ast.With, ast.AsyncWith)
    for kind in dict.fromkeys(kinds):
        for around in analysis.tree.nodes(kind):
            inner = _protected(around, analysis, matters)
            if inner:
                yield around, inner


def _protected(around: ast.AST, analysis: Analysis, matters: _Matters) -> list[ast.AST]:
    """Return the parts of a statement whose exceptions it may catch."""
    if isinstance(around, TRY):
        found: list[ast.AST] = list(around.body) if any(map(matters, around.handlers)) else []
        if _is_left_at_the_end(around):
            found += [*around.body, *around.orelse]
            found += [item for handler in around.handlers for item in handler.body]
        return found
    if isinstance(around, ast.With | ast.AsyncWith):
        swallows = any(_may_swallow(item.context_expr, analysis) for item in around.items)
        return [*around.items, *around.body] if swallows else []
    return []


def _is_left_at_the_end(statement: ast.Try) -> bool:
    """Tell whether `finally` drops exceptions: it returns, breaks or continues."""
    return any(isinstance(item, _LEAVES) for each in statement.finalbody for item in ast.walk(each))


def _runs_own_code(parts: list[ast.AST], analysis: Analysis) -> bool:
    """Tell whether parts of a statement call anything but what libraries have by a name."""
    return any(
        isinstance(node, ast.Call) and analysis.symbols.name(node.func) is None
        for part in parts
        for node in ast.walk(part)
    )


def _is_told(handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler may catch what TensorFlow raises for settings."""
    names = set() if handler.type is None else set(_last_names(handler.type))
    return not names or not names <= _OTHERS


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
