"""Virtual devices of a config, as statements over the list of GPUs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.code.tree import Tree
from tfgpu.code.values import Values
from tfgpu.flow.facts import Setting
from tfgpu.flow.match import GPUS, TF, device_ids, one_index

_OPTIONS = {"priority": "experimental_priority", "device_ordinal": "experimental_device_ordinal"}
_CONFIGURATION = f"{TF}.config.LogicalDeviceConfiguration"


def virtual_statements(
    settings: list[Setting], visible: Setting | None, tree: Tree, values: Values
) -> str | None:
    """Return `set_logical_device_configuration` statements for all virtual devices of a config.

    Entry i of TF1's list belongs to the i-th visible GPU. The result is None where the entries, or
    the visible GPUs, are not literal enough to tell which limit belongs to which GPU, or where
    their numbers differ (TF1 raises then).
    """
    entries: list[list[str]] = []
    for setting in settings:
        for call in _entries(setting.value.node):
            entry = _entry(call, tree, values)
            if entry is None:
                return None
            entries.append(entry)
    gpus = _gpus(len(entries), visible, values)
    if not entries or gpus is None:
        return None
    return "\n".join(
        _statement(gpu, entry) for gpu, entry in zip(gpus, entries, strict=True) if entry
    )


def _entries(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the expression of each entry: of a list, or of an `add`, `append` or `extend` call."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr == "add" and not node.args:
            yield node
            return
        if node.func.attr in ("append", "extend") and len(node.args) == 1:
            inner = node.args[0]
            yield from [inner] if node.func.attr == "append" else _entries(inner)
            return
    yield from node.elts if isinstance(node, ast.List | ast.Tuple) else [node]


def _is_entry(call: ast.Call, values: Values) -> bool:
    """Tell whether a call makes one entry: `add` of the list, or the message itself."""
    is_add = isinstance(call.func, ast.Attribute) and call.func.attr == "add"
    return is_add or values.names(call.func) == "tf.GPUOptions.Experimental.VirtualDevices"


def _entry(node: ast.expr, tree: Tree, values: Values) -> list[str] | None:
    """Return the logical devices of one entry, as calls; None where they are not all there."""
    if not isinstance(node, ast.Call) or node.args or not _is_entry(node, values):
        return None
    columns: dict[str, list[str]] = {}
    for keyword in node.keywords:
        name = (
            "memory_limit" if keyword.arg == "memory_limit_mb" else _OPTIONS.get(keyword.arg or "")
        )
        if name is None or not isinstance(keyword.value, ast.List | ast.Tuple):
            return None
        if any(
            isinstance(item, ast.Starred)
            or not values.quiet(item)
            or (name == "memory_limit" and _is_no_limit(item, values))
            for item in keyword.value.elts
        ):
            return None
        columns[name] = [tree.source(item) for item in keyword.value.elts]
    limits = columns.get("memory_limit", [])
    if any(len(column) != len(limits) for column in columns.values()):
        return None
    rows = (
        ", ".join(f"{name}={column[row]}" for name, column in columns.items())
        for row in range(len(limits))
    )
    return [f"{_CONFIGURATION}({arguments})" for arguments in rows]


def _is_no_limit(node: ast.expr, values: Values) -> bool:
    """Tell whether a limit leaves no memory, or is none at all."""
    known = values.known(node)
    return known is not None and not (isinstance(known, int | float) and known > 0)


def _gpus(count: int, visible: Setting | None, values: Values) -> list[str] | None:
    """Return the physical GPU of each entry."""
    if visible is None:
        return [f"{GPUS}[{number}]" for number in range(count)]
    ids = device_ids(visible.value)
    if ids is not None:
        if len(ids) != count:
            return None
        # A list in another order is applied through CUDA_VISIBLE_DEVICES, which renumbers.
        numbers = ids if ids == sorted(ids) else list(range(count))
        return [f"{GPUS}[{number}]" for number in numbers]
    index = one_index(visible.value.node, values)
    return [f"{GPUS}[{ast.unparse(index)}]"] if index is not None and count == 1 else None


def _statement(gpu: str, devices: list[str]) -> str:
    if len(devices) == 1:
        inner = f"    [{devices[0]}],"
    else:
        inner = "    [\n" + "".join(f"        {device},\n" for device in devices) + "    ],"
    return f"{TF}.config.set_logical_device_configuration(\n    {gpu},\n{inner}\n)"
