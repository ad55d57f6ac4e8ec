"""What CUDA makes of tf.config calls that stand where a ConfigProto was built.

A ConfigProto had no effect until a session was made with it. Listing the physical GPUs initialises
CUDA (measured: cuInit): it reads its environment variables then, and cannot be used any more in
processes that are forked later.
"""

from __future__ import annotations

import ast

from tfgpu.decide.decision import Decision
from tfgpu.decide.order import is_tied, places
from tfgpu.flow.collect import Analysis
from tfgpu.flow.environment import environment_writes
from tfgpu.flow.facts import Problem

_FORKS = ("multiprocessing", "concurrent.futures.ProcessPoolExecutor", "os.fork", "joblib", "ray")


def _gpu_places(decision: Decision, analysis: Analysis) -> list[ast.AST]:
    """Return where a converted config lists the physical GPUs."""
    return [
        place.node
        for place in places(decision, analysis)
        if place.outcome.case is not None
        and place.outcome.case.emit is not None
        and place.outcome.case.emit.asks_for_gpus
    ]


def late_environment(decision: Decision, analysis: Analysis) -> Problem | None:
    """Find an environment variable of CUDA that is set when tf.config has asked CUDA already.

    CUDA reads CUDA_VISIBLE_DEVICES once, and list_physical_devices makes it do so (measured:
    cuInit); in TensorFlow 1 that was only when the session was made.
    """
    late = late_write(_gpu_places(decision, analysis), analysis)
    if late is None:
        return None
    variable, node, place = late
    line = analysis.tree.line_words(place)
    return Problem("late-environment", node, {"name": variable, "line": line})


def late_write(places: list[ast.AST], analysis: Analysis) -> tuple[str, ast.AST, ast.AST] | None:
    """Return a variable of CUDA that is set when a place may have listed the GPUs already."""
    for variable, node in environment_writes(analysis.tree, analysis.symbols):
        for place in places:
            if not _is_before(node, place, analysis):
                return variable, node, place
    return None


def _is_before(node: ast.AST, place: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a node has certainly run, if at all, before a place is reached."""
    tree = analysis.tree
    outer, inner = tree.function(node), tree.function(place)
    if outer is inner:
        return tree.position(node) < tree.position(place)
    if outer.kind == "module" and tree.file(node) is tree.file(place):
        # A module runs before its functions, unless it calls them on the way.
        return not _calls_before(inner.node, node, analysis)
    called = [
        call
        for call in tree.calls
        if tree.function(call) is outer and analysis.callees.function(call.func) is inner.node
    ]
    return bool(called) and all(tree.position(node) < tree.position(call) for call in called)


def _calls_before(function: ast.AST, node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether module code calls a function before a node."""
    tree = analysis.tree
    return any(
        tree.function(call).kind == "module"
        and analysis.callees.function(call.func) is function
        and tree.position(call) < tree.position(node)
        for call in tree.calls
    )


def fork(decision: Decision, analysis: Analysis) -> Problem | None:
    """Find settings that are applied in a process which starts others before its session.

    CUDA cannot be used in a process that was forked after CUDA was initialised, and listing the
    GPUs initialises it.
    """
    on_the_spot = all(sink.through is None for sink in decision.config.sinks)
    if on_the_spot and is_tied(decision, analysis):
        return None
    name = starts_processes(analysis)
    places = _gpu_places(decision, analysis)
    return Problem("fork", places[0], {"name": name}) if name is not None and places else None


def starts_processes(analysis: Analysis) -> str | None:
    """Return what a file imports that starts other processes."""
    found = (item.path for item in analysis.tree.imports if item.path.startswith(_FORKS))
    return next(found, None)
