"""What PyTorch programs do with GPUs: for files that import torch, and only told."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.checks.report import Report
from tfgpu.checks.usual_order import UsualOrder
from tfgpu.files.pattern import expression
from tfgpu.flow.collect import Analysis

_DEVICE = expression(r"cuda:\d+")
_ALLOCATOR = "PYTORCH_CUDA_ALLOC_CONF"
# With this variable is_available() asks NVML, and CUDA is not initialised.
_NVML = "PYTORCH_NVML_BASED_CUDA_CHECK"
_PROCESSES = (
    "multiprocessing", "subprocess", "concurrent", "joblib", "ray", "torch.multiprocessing",
)  # fmt: skip
_STARTS = frozenset(
    f"torch.cuda.{name}"
    for name in (
        "init", "is_available", "current_device", "get_device_name", "get_device_properties",
        "get_device_capability", "synchronize", "set_device", "mem_get_info",
    )
)  # fmt: skip


def pytorch(order: UsualOrder, analysis: Analysis) -> Iterator[Report]:
    """Find how files that import torch choose their GPUs; mostly beside TensorFlow."""
    for tree in analysis.tree.files:
        roots = {item.path.partition(".")[0] for item in tree.imports}
        if "torch" in roots:
            here = analysis.of(tree)
            yield from _late(order, here)
            if roots & {"tensorflow", "keras"}:
                yield from _calls(here)
                yield from _devices(here)
                yield from _allocator(here)


def _calls(analysis: Analysis) -> Iterator[Report]:
    for call in analysis.tree.calls:
        name = analysis.symbols.name(call.func) or ""
        if name == "torch.cuda.set_device":
            yield Report("torch-set-device", call, {"text": analysis.tree.source(call)})
        elif name == "torch.cuda.set_per_process_memory_fraction":
            yield Report("torch-memory-fraction", call, {"text": analysis.tree.source(call)})
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "cuda" and call.args:
            known = analysis.values.known(call.args[0])
            if isinstance(known, int) and not isinstance(known, bool):
                text = f".cuda({known})"
                yield Report("torch-fixed-device", call, {"device": text})


def _devices(analysis: Analysis) -> Iterator[Report]:
    tree = analysis.tree
    for node in tree.parent:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if _DEVICE.fullmatch(node.value) and not isinstance(tree.parent[node], ast.JoinedStr):
            yield Report("torch-fixed-device", node, {"device": node.value})


def _late(order: UsualOrder, analysis: Analysis) -> Iterator[Report]:
    """Find CUDA_VISIBLE_DEVICES set when CUDA has read it already."""
    from tfgpu.flow.environment import environment_writes  # noqa: PLC0415 - few need it

    tree = analysis.tree
    writes = [
        node
        for name, node in environment_writes(tree, analysis.symbols)
        if name == "CUDA_VISIBLE_DEVICES"
    ]
    if not writes or _NVML in tree.text or _starts_others(analysis):
        return
    first = [call for call in tree.calls if analysis.symbols.name(call.func) in _STARTS]
    for node in writes:
        start = next((call for call in first if order.before(call, node)), None)
        if start is not None:
            details = {"first": tree.source(start.func), "line": tree.line_words(start)}
            yield Report("torch-late-visible-devices", node, details)


def _starts_others(analysis: Analysis) -> bool:
    """Tell whether a file may start processes, which take the variable from this one."""
    return any(
        item.path.startswith(_PROCESSES) or item.path in ("os.system", "os.execv")
        for item in analysis.tree.imports
    ) or not {"system", "popen", "execv", "fork"}.isdisjoint(analysis.tree.attributes)


def _allocator(analysis: Analysis) -> Iterator[Report]:
    tree = analysis.tree
    for attribute in tree.attributes.get("environ", []):
        item = tree.parent[attribute]
        if (
            isinstance(item, ast.Subscript)
            and isinstance(item.ctx, ast.Store)
            and isinstance(item.slice, ast.Constant)
            and item.slice.value == _ALLOCATOR
        ):
            yield Report("torch-allocator", item)
