"""Calls of tf.config that have to come before the runtime is initialised."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.dataclass import dataclass
from tfgpu.flow.callees import argument
from tfgpu.flow.collect import Analysis
from tfgpu.flow.named_gpus import Devices, Named

# What a call sets, with its parameters.
_SETTERS = {
    "tf.config.experimental.set_memory_growth": ("growth", "device", "enable"),
    "tf.config.set_visible_devices": ("visible", "devices", "device_type"),
    "tf.config.experimental.set_visible_devices": ("visible", "devices", "device_type"),
    "tf.config.set_logical_device_configuration": ("virtual", "device", "logical_devices"),
    "tf.config.experimental.set_virtual_device_configuration": (
        "virtual",
        "device",
        "logical_devices",
    ),
    "tf.config.threading.set_intra_op_parallelism_threads": ("intra", "num_threads", ""),
    "tf.config.threading.set_inter_op_parallelism_threads": ("inter", "num_threads", ""),
}
WORDS = frozenset(name.rpartition(".")[2] for name in _SETTERS)


@dataclass(frozen=True, slots=True, eq=False)
class Setter:
    """One call: what it sets ("growth", "visible", "virtual", "intra", "inter"), and on what.

    `device` is its first argument, `value` the second; `named` the devices, where they are known.
    """

    call: ast.Call
    sets: str
    name: str
    device: ast.expr | None
    value: ast.expr | None
    named: Named | None


def setters(analysis: Analysis, devices: Devices) -> Iterator[Setter]:
    """Yield the calls whose arguments can all be seen."""
    tree = analysis.tree
    if all(WORDS.isdisjoint(file.words | file.attributes.keys()) for file in tree.files):
        return
    for call, name in analysis.symbols.calls(tree):
        if name not in _SETTERS or is_expected_to_fail(call, analysis):
            continue
        if any(isinstance(item, ast.Starred) for item in call.args):
            continue
        if any(item.arg is None for item in call.keywords):
            continue
        sets, first, second = _SETTERS[name]
        device = argument(call, first, (first, second))
        value = argument(call, second, (first, second)) if second else None
        if sets == "virtual" and value is None:
            value = argument(call, "virtual_devices", ())
        short = name.rpartition(".")[2]
        yield Setter(call, sets, short, device, value, devices.of(device))


def is_expected_to_fail(node: ast.AST, analysis: Analysis) -> bool:
    """Tell whether a test wants a call to raise: `with self.assertRaises(...)` and the like."""
    return any(
        "raises" in ast.unparse(item.context_expr).lower()
        for around in analysis.tree.within(node)
        if isinstance(around, ast.With)
        for item in around.items
    )
