"""GPUs that Ray gives to its tasks and actors."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.checks.report import Report
from tfgpu.checks.training import choice
from tfgpu.code.tree import last_name
from tfgpu.flow.collect import Analysis

_FIELDS = frozenset(["allow_growth", "per_process_gpu_memory_fraction"])
_SETTERS = frozenset(
    [
        "set_memory_growth",
        "set_logical_device_configuration",
        "set_virtual_device_configuration",
        "set_per_process_memory_fraction",
        "set_per_process_memory_growth",
    ]
)
_GROWTH = "TF_FORCE_GPU_ALLOW_GROWTH"


def ray(analysis: Analysis) -> Iterator[Report]:
    """Find GPUs of tasks and actors that other settings, or other workers, need as well."""
    for tree in analysis.tree.files:
        imported = (item.path.partition(".")[0] for item in tree.imports)
        if "num_gpus" not in tree.text or "ray" not in imported:
            continue
        here = analysis.of(tree)
        chosen = choice(here)
        for call in tree.calls:
            # ray.init only says what a machine has.
            if last_name(call.func) not in ("remote", "options"):
                continue
            for keyword in call.keywords:
                known = here.values.known(keyword.value)
                if keyword.arg != "num_gpus" or (isinstance(known, int) and not known):
                    continue
                details = {"text": tree.source(keyword.value)}
                if isinstance(known, float) and not known.is_integer():
                    if not _limits_memory(call, here):
                        yield Report("ray-part-of-gpu", keyword, details)
                elif chosen is not None:
                    line = tree.line_words(chosen)
                    yield Report("ray-gpus", keyword, {**details, "line": line})


def _limits_memory(call: ast.Call, analysis: Analysis) -> bool:
    """Tell whether a task or an actor may limit its memory, in what can be seen of it."""
    # Workers have the environment of the program which starts them, and what `runtime_env` adds.
    if any(_GROWTH in file.text for file in analysis.tree.files):
        return True
    open_nodes: list[ast.AST] = list(_workers(call, analysis))
    seen: set[ast.AST] = set()
    while open_nodes:
        body = open_nodes.pop()
        if body in seen:
            continue
        seen.add(body)
        for node in ast.walk(body):
            if _is_limit(node, analysis):
                return True
            open_nodes.extend(_run_by(node, analysis))
    return False


def _workers(call: ast.Call, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield the function or class that a call makes a worker of: decorated, given, or named."""
    around = analysis.tree.parent[call]
    if isinstance(around, ast.FunctionDef | ast.ClassDef) and call in around.decorator_list:
        yield around
    elif isinstance(around, ast.Call) and around.func is call:
        yield from around.args
    if isinstance(call.func, ast.Attribute):
        yield call.func.value


def _run_by(node: ast.AST, analysis: Analysis) -> Iterator[ast.AST]:
    """Yield the functions and classes of the files that an expression names."""
    if isinstance(node, ast.Name | ast.Attribute):
        classes = analysis.callees.classes
        found = classes.function(node) or classes.defined(node)
        if found is not None:
            yield found


def _is_limit(node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a node asks for growth or a part of the memory, as far as it is known."""
    if isinstance(node, ast.Call):
        values = (*node.args, *(item.value for item in node.keywords))
        return last_name(node.func) in _SETTERS and not any(
            analysis.values.known(value) is False for value in values
        )
    if isinstance(node, ast.keyword):
        return node.arg in _FIELDS and _is_on(node.value, analysis)
    if isinstance(node, ast.Assign):
        names = {getattr(target, "attr", "") for target in node.targets}
        return not _FIELDS.isdisjoint(names) and _is_on(node.value, analysis)
    # The key of a dictionary, or of setattr.
    return isinstance(node, ast.Constant) and node.value in _FIELDS


def _is_on(value: ast.expr, analysis: Analysis) -> bool:
    return analysis.values.known(value) not in (False, 0)
