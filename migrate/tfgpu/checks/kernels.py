"""Operations without a kernel for GPUs that are put on one while soft placement is off."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfgpu.checks.report import Report
from tfgpu.checks.usual_order import UsualOrder
from tfgpu.files.pattern import expression
from tfgpu.flow.callees import argument
from tfgpu.flow.collect import Analysis
from tfgpu.rulebook.book import Rulebook

_SWITCH = "tf.config.set_soft_device_placement"
_GPU = expression(r"/?(?:device:)?gpu:\d+", re.I)


def without_kernel(order: UsualOrder, analysis: Analysis, book: Rulebook) -> Iterator[Report]:
    """Find operations that certainly raise, because nothing may move them to the CPU."""
    tree, symbols, values = analysis.tree, analysis.symbols, analysis.values
    switches = [
        call
        for attribute in tree.attributes.get(_SWITCH.rpartition(".")[2], [])
        if isinstance(call := tree.parent[attribute], ast.Call)
        and symbols.name(call.func) == _SWITCH
    ]
    known = [argument(call, "enabled", ("enabled",)) for call in switches]
    if not switches or any(item is None or values.known(item) is not False for item in known):
        return
    for call, name in symbols.calls(tree):
        if name not in book.no_gpu_kernel and not _is_variable(name, call, analysis):
            continue
        device = _device(call, analysis)
        if device is None or not _GPU.fullmatch(device):
            continue
        first = next((item for item in switches if order.before(item, call)), None)
        if first is not None:
            place = analysis.tree.where_from(first, call)
            details = {"name": name, "device": device, "place": place}
            yield Report("no-gpu-kernel", call, details)


def _is_variable(name: str, call: ast.Call, analysis: Analysis) -> bool:
    """Tell whether a call makes a variable of int32 or of strings."""
    if name != "tf.Variable" or len(call.args) != 1:
        return False
    if any(item.arg in ("dtype", None) for item in call.keywords):
        return False
    known = analysis.values.known(call.args[0])
    return isinstance(known, int | str) and not isinstance(known, bool)


def _device(call: ast.Call, analysis: Analysis) -> str | None:
    """Return the device of the innermost `with tf.device(...)` in the same function."""
    for around in analysis.tree.within(call):
        if isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return None
        if not isinstance(around, ast.With):
            continue
        for item in around.items:
            made = item.context_expr
            if isinstance(made, ast.Call) and analysis.symbols.name(made.func) == "tf.device":
                known = analysis.values.known(made.args[0]) if made.args else None
                return known if isinstance(known, str) else None
    return None
