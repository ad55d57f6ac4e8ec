"""What runs before, between and after the settings of a config and its sessions.

In TensorFlow 1 a ConfigProto had no effect until a session was made with it. tf.config acts where
it stands: it asks CUDA for the GPUs there, and what it sets waits for the next session, whichever
that is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrate.analysis.collect import Analysis
from migrate.analysis.decision import Decision
from migrate.analysis.facts import Problem

_CUDA_VARIABLES = frozenset(["CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"])
_FORKS = ("multiprocessing", "concurrent.futures.ProcessPoolExecutor", "os.fork", "joblib", "ray")


def places(decision: Decision, analysis: Analysis, gpus_only: bool = False) -> list[ast.AST]:
    """Return where the settings of a config are applied once it is converted.

    For settings in a function that returned the config, that is where the function is called.
    """
    tree = analysis.tree
    settings: list[ast.AST] = [
        outcome.setting.node
        for outcome in decision.outcomes
        if outcome.case is not None
        and outcome.case.emit is not None
        and (not gpus_only or outcome.case.emit.asks_for_gpus)
    ]
    found: list[ast.AST] = []
    for place in settings:
        calls = [
            call
            for call, _ in decision.config.calls
            if tree.function(place).node is analysis.flow.function(call.func)
        ]
        found += calls or [place]
    return found


def exports(decision: Decision, analysis: Analysis) -> list[str]:
    """Return what the conversion of a config takes from, or does to, files that import this one.

    Names are those of variables and functions that other files would not find any more; the empty
    name stands for the import itself, where that would apply settings that waited for a session.
    """
    at_import = any(
        analysis.tree.function(place) is analysis.tree.root for place in places(decision, analysis)
    )
    effect = [""] if at_import and not is_tied(decision, analysis) else []
    return [*effect, *decision.config.exports]


def is_tied(decision: Decision, analysis: Analysis) -> bool:
    """Tell whether a session of the config is made wherever its settings are applied.

    Then its settings are in force when the first session is made, exactly as before; else they
    could reach a session that had nothing to do with the config.
    """
    return all(
        any(_leads_to(place, sink.call, analysis) for sink in decision.config.sinks)
        for place in places(decision, analysis)
    )


def _leads_to(place: ast.AST, session: ast.Call, analysis: Analysis) -> bool:
    """Tell whether a session is always made after a place is reached."""
    tree = analysis.tree
    guards = tree.guards(session)
    return (
        tree.function(session) is tree.function(place)
        and tree.position(tree.statement(session)) >= tree.position(tree.statement(place))
        and tree.guards(place)[: len(guards)] == guards
        and not any(
            isinstance(node, ast.Return | ast.Raise) for node in _between(place, session, analysis)
        )
    )


def _between(place: ast.AST, session: ast.AST, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield the statements and calls of a function between two places in its text."""
    tree = analysis.tree
    scope = tree.function(place)
    first, last = tree.position(place), tree.position(session)
    for node in ast.walk(scope.node):
        if isinstance(node, ast.Return | ast.Raise | ast.Call) and (
            first < tree.position(node) < last and tree.function(node) is scope
        ):
            yield node


def comes_between(session: ast.Call, decision: Decision, analysis: Analysis) -> bool:
    """Tell whether another session is made between the settings of a config and its own."""
    tree = analysis.tree
    for place in places(decision, analysis):
        for sink in decision.config.sinks:
            if tree.function(sink.call) is not tree.function(place):
                continue
            for node in _between(place, sink.call, analysis):
                if node is session:
                    return True
                if isinstance(node, ast.Call):
                    called = analysis.flow.function(node.func)
                    if called is not None and called is tree.function(session).node:
                        return True
    return False


def may_come_first(call: ast.Call, decision: Decision, analysis: Analysis) -> bool:
    """Tell whether a call can run before the last session of a config is made."""
    tree = analysis.tree
    return not all(
        tree.function(sink.call) is tree.function(call)
        and tree.position(sink.call) < tree.position(call)
        and not tree.in_loop(call)
        for sink in decision.config.sinks
    )


def late_environment(decision: Decision, analysis: Analysis) -> Problem | None:
    """Find an environment variable of CUDA that is set when tf.config has asked CUDA already.

    CUDA reads CUDA_VISIBLE_DEVICES once, and list_physical_devices makes it do so (measured:
    cuInit); in TensorFlow 1 that was only when the session was made.
    """
    tree = analysis.tree
    for variable, node in _environment_writes(analysis):
        for place in places(decision, analysis, gpus_only=True):
            if not _is_before(node, place, analysis):
                line = str(tree.position(place)[0])
                return Problem("late-environment", node, {"name": variable, "line": line})
    return None


def _environment_writes(analysis: Analysis) -> Iterator[tuple[str, ast.AST]]:
    """Yield the variables of CUDA that a file sets for its own process."""
    tree = analysis.tree
    for call in tree.calls:
        name = analysis.symbols.name(call.func)
        if name in ("os.environ.setdefault", "os.putenv", "os.environ.update"):
            for node in ast.walk(call):
                if isinstance(node, ast.Constant) and node.value in _CUDA_VARIABLES:
                    yield str(node.value), call
                elif isinstance(node, ast.keyword) and node.arg in _CUDA_VARIABLES:
                    yield str(node.arg), call
    for attribute in tree.attributes.get("environ", []):
        item = tree.parent[attribute]
        if (
            isinstance(item, ast.Subscript)
            and isinstance(item.ctx, ast.Store)
            and isinstance(item.slice, ast.Constant)
            and item.slice.value in _CUDA_VARIABLES
        ):
            yield str(item.slice.value), item


def _is_before(node: ast.AST, place: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a node has certainly run, if at all, before a place is reached."""
    tree = analysis.tree
    outer, inner = tree.function(node), tree.function(place)
    if outer is inner:
        return tree.position(node) < tree.position(place)
    if outer is tree.root:
        # A module runs before its functions, unless it calls them on the way.
        return not _calls_before(inner.node, node, analysis)
    called = [
        call
        for call in tree.calls
        if tree.function(call) is outer and analysis.flow.function(call.func) is inner.node
    ]
    return bool(called) and all(tree.position(node) < tree.position(call) for call in called)


def _calls_before(function: ast.AST, node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether module code calls a function before a node."""
    tree = analysis.tree
    return any(
        tree.function(call) is tree.root
        and analysis.flow.function(call.func) is function
        and tree.position(call) < tree.position(node)
        for call in tree.calls
    )


def fork(decision: Decision, analysis: Analysis) -> Problem | None:
    """Find settings that are applied in a process which starts others before its session.

    CUDA cannot be used in a process that was forked after CUDA was initialised, and listing the
    GPUs initialises it.
    """
    if is_tied(decision, analysis):
        return None
    for item in analysis.tree.imports:
        if item.path.startswith(_FORKS):
            for place in places(decision, analysis, gpus_only=True):
                return Problem("fork", place, {"name": item.path})
    return None
