"""Whether a program may go on after an exception: handlers, and managers that swallow it.

Who runs code that is called from unknown places may catch its exceptions, and tell of them later.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from tfgpu.code.order import Order
from tfgpu.code.special import USUAL, special_methods
from tfgpu.code.swallowers import leaves, leaves_at_the_end, may_swallow
from tfgpu.code.tree import TRY, Tree, last_name
from tfgpu.decide.managers import callers, may_see, sees_at_the_end
from tfgpu.flow.collect import Analysis

# Exceptions that end a program and are caught to say so.
_ENDS = frozenset(["KeyboardInterrupt", "SystemExit", "GeneratorExit"])
# Exceptions that neither a session raises, for its settings or for want of a config, nor a call of
# tf.config.
_OTHERS = _ENDS | {
    "EOFError", "Empty", "FileNotFoundError", "Full", "IOError", "ImportError",
    "KeyError", "ModuleNotFoundError", "OSError", "OutOfRangeError", "StopIteration",
}  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Names by which a program learns of an exception that other code caught: a thread, a task, a test.
_TOLD_AS = frozenset(["exception", "exc_type", "set_exception_handler"])
_TOLD_BY = frozenset(["error_callback", "return_exceptions"])
# Names by which it learns of one that ends it, or that came before another.
_TOLD_LAST = (
    "last_exc", "last_traceback", "last_type", "last_value", "__cause__", "__context__",
    "install_exception_handler",
)  # fmt: skip
# Hooks for exceptions that nothing caught: of `sys`, and of threads.
_HOOKS = ("excepthook", "unraisablehook")


# What calls functions at the end of the program, of a thread, of a test, or of a `with`.
_AT_THE_END = frozenset(["__exit__", "__aexit__", "__del__"])
_CALLBACKS = (
    "atexit", *_HOOKS, "ExitStack", "AsyncExitStack", "closing", "aclosing", "weakref", "finalize",
    "contextmanager", "asynccontextmanager", "addCleanup", "add_done_callback",
    "signal", "Thread", "Timer", "ThreadPool", "ThreadPoolExecutor", "start_new_thread", "TestCase",
)  # fmt: skip
# What runs generators, special methods and properties.
_LOOPS = (ast.For, ast.AsyncFor, ast.comprehension, ast.Starred)
_OPERATORS = (
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.AugAssign, ast.Subscript, ast.If,
    ast.FormattedValue, ast.While, ast.IfExp, ast.Assert, ast.Attribute, ast.Delete, ast.With,
    ast.AsyncWith,
)  # fmt: skip
# Those that a text may name.
_BY_TEXT = (*_HOOKS, *(name for name in _TOLD_LAST if name.startswith("last_")))


class _Matters(NamedTuple):
    """What counts as catching an exception: which handlers, managers, and ends of a `try`."""

    handler: Callable[[ast.ExceptHandler], bool]
    manager: Callable[[ast.expr], bool]
    end: Callable[[ast.Try], bool]


def may_survive(node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a statement around a node may swallow an exception that is raised there."""
    return any(True for _ in _around(node, analysis, _survival(analysis)))


def survives(node: ast.AST, analysis: Analysis, order: Order) -> bool:
    """Tell whether the program may go on after an exception that is raised at a node."""
    return any(True for _ in survivors(node, analysis, order))


def survivors(node: ast.AST, analysis: Analysis, order: Order) -> Iterator[ast.AST]:
    """Yield the statements behind which it may go on after an exception raised at a node."""
    return _catching(node, analysis, order, _survival(analysis))


@lru_cache(maxsize=1)
def _survival(analysis: Analysis) -> _Matters:
    """Return what lets a program go on."""
    manager = partial(may_swallow, tree=analysis.tree, symbols=analysis.symbols)
    return _Matters(partial(_goes_on, analysis), manager, leaves_at_the_end)


def runs_after(late: ast.AST, node: ast.AST, analysis: Analysis, order: Order) -> bool:
    """Tell whether a place may be reached because an exception is raised at a node.

    A `finally`, a handler that raises it again, an `__exit__`, a callback at the end.
    """
    ends, here = _ends_of_generators(analysis.tree), order.chains(node)
    for step in {step for chain in here or () for _, step in chain}:
        ends |= _ends(analysis.tree.within(step))
    if here is None:
        ends |= _ends(around for kind in TRY for around in analysis.tree.nodes(kind))
    chains = order.chains(late)
    if chains is None:
        return has_callbacks(analysis.tree) or any(_may_run(item, analysis.tree) for item in ends)
    return any(step in ends for chain in chains for _, step in chain)


def _may_run(node: ast.AST, tree: Tree) -> bool:
    """Tell whether an expression or statement may run a function of the program."""
    if isinstance(node, ast.Call):
        return _may_be_own(node.func, tree)
    if isinstance(node, ast.Attribute):
        functions = tree.functions.get(node.attr, [])
        if any(getattr(item, "decorator_list", None) for item in functions):
            return True
    is_loop = isinstance(node, _LOOPS)
    if is_loop and any(map(tree.nodes, (ast.Yield, ast.YieldFrom, ast.GeneratorExp))):
        return True
    return (is_loop or isinstance(node, _OPERATORS)) and not special_methods(tree).keys() <= USUAL


def _may_be_own(function: ast.expr, tree: Tree) -> bool:
    """Tell whether a call may be one of a function of the program, by its name."""
    if isinstance(function, ast.Name):
        return bool(tree.bindings(function))
    return last_name(function) in ("", *tree.functions)


def _ends(statements: Iterable[ast.AST]) -> frozenset[ast.AST]:
    """Return all that runs in some statements because of an exception in their `try`."""
    return frozenset(
        node
        for around in statements
        if isinstance(around, TRY)
        for part in (*around.handlers, *around.finalbody)
        for node in ast.walk(part)
    )


@lru_cache(maxsize=1)
def _ends_of_generators(tree: Tree) -> frozenset[ast.AST]:
    """Return what generators do at their end: those of managers, and all that are given up."""
    yields: list[ast.AST] = [*tree.nodes(ast.Yield), *tree.nodes(ast.YieldFrom)]
    return frozenset().union(*(_ends(tree.within(node)) for node in yields))


@lru_cache(maxsize=1)
def has_callbacks(tree: Tree) -> bool:
    """Tell whether Python or a library may call code of the program because of an exception."""
    return not special_methods(tree).keys().isdisjoint(_AT_THE_END) or any(
        tree.names.get(name) or tree.attributes.get(name) for name in _CALLBACKS
    )


def catchers(node: ast.AST, analysis: Analysis, order: Order) -> Iterator[ast.AST]:
    """Yield what may catch what the settings of a session raise at a node.

    Handlers, the statements that swallow exceptions without one, or expressions that tell later.
    """
    told = _telling(analysis)
    for around in dict.fromkeys(_catching(node, analysis, order, told)):
        if isinstance(around, TRY) and not told.end(around):
            yield from filter(told.handler, around.handlers)
        else:
            yield around
    for later in _told_later(analysis, is_known=order.chains(node) is not None):
        if order.share_process(later, node):
            yield later


@lru_cache(maxsize=1)
def _telling(analysis: Analysis) -> _Matters:
    """Return what catches, or looks at, what the settings of a session raise."""
    return _Matters(
        partial(_is_told, analysis),
        partial(may_see, analysis=analysis),
        lambda end: leaves_at_the_end(end) or sees_at_the_end(end, analysis.tree),
    )


@lru_cache(maxsize=2)
def _told_later(analysis: Analysis, is_known: bool) -> tuple[ast.AST, ...]:
    """Return what tells of exceptions that nothing in the program caught.

    A hook does of those of the main thread, too, the rest only where unknown code runs a function.
    """
    by_name = _told_by_name(analysis.tree)
    return tuple(by_name if is_known else itertools.chain(by_name, _told_of(analysis.tree)))


def _told_by_name(tree: Tree) -> Iterator[ast.AST]:
    """Yield what tells of those of any thread."""
    for hook in (hook for name in _HOOKS for hook in tree.attributes.get(name, ())):
        if isinstance(hook.ctx, ast.Store):
            yield tree.statement(hook)
    # `setattr(sys, "excepthook", ...)`, `vars(sys).update(excepthook=...)`
    yield from (
        item for text, nodes in tree.texts.items() if text.endswith(_BY_TEXT) for item in nodes
    )
    yield from (item.value for item in tree.nodes(ast.keyword) if item.arg in _HOOKS)
    for name in _TOLD_LAST:
        yield from (*tree.names.get(name, ()), *tree.attributes.get(name, ()))


def _told_of(tree: Tree) -> Iterator[ast.AST]:
    """Yield what tells of those that unknown code caught."""
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
    for around in _watched(analysis, matters) if chains is None else ():
        if order.share_process(around, node):
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
        if inside in _protected(around, matters):
            yield around
        inside = around


@lru_cache(maxsize=2)
def _watched(analysis: Analysis, matters: _Matters) -> tuple[ast.stmt, ...]:
    """Return the statements that may catch exceptions of the program's own code."""
    kinds: tuple[type[ast.stmt], ...] = (*TRY, ast.With, ast.AsyncWith, *_FUNCTIONS)
    return tuple(
        around
        for kind in dict.fromkeys(kinds)
        for around in analysis.tree.nodes(kind)
        if _runs_own_code(_protected(around, matters), analysis)
    )


def _protected(around: ast.AST, matters: _Matters) -> list[ast.AST]:
    """Return the parts of a statement whose exceptions it may catch."""
    if isinstance(around, TRY):
        caught = any(map(matters.handler, around.handlers))
        found: list[ast.AST] = list(around.body) if caught else []
        if matters.end(around):
            found += [*around.body, *around.orelse]
            found += [item for handler in around.handlers for item in handler.body]
        return found
    if isinstance(around, ast.With | ast.AsyncWith):
        swallows = any(matters.manager(item.context_expr) for item in around.items)
        return [*around.items, *around.body] if swallows else []
    if isinstance(around, _FUNCTIONS):
        swallows = any(map(matters.manager, around.decorator_list))
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
