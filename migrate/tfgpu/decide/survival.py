"""Whether a program may go on after an exception: handlers, and managers that swallow it.

Who runs code that is called from unknown places may catch its exceptions, and tell of them later.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial

from tfgpu.code.order import Order
from tfgpu.code.tree import TRY, last_name
from tfgpu.decide.managers import callers, leaves, leaves_at_the_end, may_swallow
from tfgpu.flow.collect import Analysis

# Exceptions that end a program and are caught to say so.
_ENDS = frozenset(["KeyboardInterrupt", "SystemExit", "GeneratorExit"])
# Exceptions that neither a session raises for its settings, nor a call of tf.config.
_OTHERS = _ENDS | {
    "AttributeError", "EOFError", "Empty", "FileNotFoundError", "Full", "IOError", "ImportError",
    "KeyError", "ModuleNotFoundError", "NameError", "OSError", "OutOfRangeError", "StopIteration",
}  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Names by which a program learns of an exception that other code caught: a thread, a task, a test.
_TOLD_AS = frozenset(["exception", "exc_type", "set_exception_handler"])
_TOLD_BY = frozenset(["error_callback", "return_exceptions"])
# Whether it matters that a handler catches an exception.
_Matters = Callable[[ast.ExceptHandler], bool]


def may_survive(node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a statement around a node may swallow an exception that is raised there."""
    return any(True for _ in _around(node, analysis, partial(_goes_on, analysis)))


def survives(node: ast.AST, analysis: Analysis, order: Order) -> bool:
    """Tell whether the program may go on after an exception that is raised at a node."""
    return any(True for _ in _catching(node, analysis, order, partial(_goes_on, analysis)))


def catchers(node: ast.AST, analysis: Analysis, order: Order) -> Iterator[ast.AST]:
    """Yield what may catch what the settings of a session raise at a node.

    Handlers, the statements that swallow exceptions without one, or expressions that tell later.
    """
    is_told = partial(_is_told, analysis)
    for around in dict.fromkeys(_catching(node, analysis, order, is_told)):
        if isinstance(around, TRY) and not leaves_at_the_end(around):
            yield from filter(is_told, around.handlers)
        else:
            yield around
    for told in _told_later(analysis, is_known=order.chains(node) is not None):
        if order.share_process(told, node):
            yield told


def _told_later(analysis: Analysis, is_known: bool) -> Iterator[ast.AST]:
    """Yield what tells of exceptions that nothing in the program caught.

    A hook does of those of the main thread, too, the rest only where unknown code runs a function.
    """
    tree = analysis.tree
    for hook in tree.attributes.get("excepthook", ()):
        if isinstance(hook.ctx, ast.Store):
            yield tree.statement(hook)
    if is_known:
        return
    for name in sorted(_TOLD_AS):
        for node in tree.attributes.get(name, ()):
            call = tree.parent[node]
            # `logging.exception("failed")` only writes.
            if not (isinstance(call, ast.Call) and call.func is node and call.args):
                yield node
    yield from (item.value for item in tree.nodes(ast.keyword) if item.arg in _TOLD_BY)


def _catching(
    node: ast.AST, analysis: Analysis, order: Order, matters: _Matters
) -> Iterator[ast.AST]:
    """Yield the statements that may catch an exception raised at a node, wherever it is called."""
    chains = order.chains(node)
    for around, inner in _watched(analysis, matters) if chains is None else ():
        if order.share_process(around, node) and _runs_own_code(inner, analysis):
            yield around
    if chains is None:
        yield from (item for item in callers(analysis) if order.share_process(item, node))
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
    kinds: tuple[type[ast.stmt], ...] = (*TRY, ast.With, ast.AsyncWith, *_FUNCTIONS)
    for kind in dict.fromkeys(kinds):
        for around in analysis.tree.nodes(kind):
            inner = _protected(around, analysis, matters)
            if inner:
                yield around, inner


def _protected(around: ast.AST, analysis: Analysis, matters: _Matters) -> list[ast.AST]:
    """Return the parts of a statement whose exceptions it may catch."""
    if isinstance(around, TRY):
        found: list[ast.AST] = list(around.body) if any(map(matters, around.handlers)) else []
        if leaves_at_the_end(around):
            found += [*around.body, *around.orelse]
            found += [item for handler in around.handlers for item in handler.body]
        return found
    if isinstance(around, ast.With | ast.AsyncWith):
        swallows = any(may_swallow(item.context_expr, analysis) for item in around.items)
        return [*around.items, *around.body] if swallows else []
    if isinstance(around, _FUNCTIONS):
        swallows = any(may_swallow(item, analysis) for item in around.decorator_list)
        return [*around.body] if swallows else []
    return []


def _runs_own_code(parts: list[ast.AST], analysis: Analysis) -> bool:
    """Tell whether parts of a statement call anything but what libraries have by a name."""
    return any(
        isinstance(node, ast.Call) and analysis.symbols.name(node.func) is None
        for part in parts
        for node in ast.walk(part)
    )


def _is_told(analysis: Analysis, handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler may catch what TensorFlow raises for settings."""
    names = _names_of(handler, analysis)
    return not names or not names <= _OTHERS


def _goes_on(analysis: Analysis, handler: ast.ExceptHandler) -> bool:
    """Tell whether the program goes on after a handler."""
    names = _names_of(handler, analysis)
    if names and names <= _ENDS:
        return False
    return leaves(handler) or not isinstance(handler.body[-1], ast.Raise)


def _names_of(handler: ast.ExceptHandler, analysis: Analysis) -> set[str]:
    """Return the names of the exceptions of a handler: `errors.OpError` is OpError.

    A variable may hold any, and has the name "".
    """
    if handler.type is None:
        return set()
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {_name_of(item, analysis) for item in kinds}


def _name_of(kind: ast.expr, analysis: Analysis) -> str:
    if isinstance(kind, ast.Name) and analysis.tree.bindings(kind):
        return (analysis.symbols.name(kind) or "").rpartition(".")[2]
    return last_name(kind)
