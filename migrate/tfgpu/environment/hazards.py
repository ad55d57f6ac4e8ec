"""What goes wrong between the environment and the rest of a program, in Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.environment.devices import visible_devices
from tfgpu.environment.model import Span
from tfgpu.environment.report import Told, check
from tfgpu.flow.collect import Analysis
from tfgpu.flow.late_writes import read_before
from tfgpu.flow.variables import Write
from tfgpu.rulebook.book import Rulebook

_GROWTH = "tf.config.experimental.set_memory_growth"


def hazards(writes: list[Write], analysis: Analysis, book: Rulebook) -> Iterator[Told]:
    """Yield what is wrong with the variables that a file sets for its own process."""
    own = [write for write in writes if write.how not in ("child", "removed")]
    late = [(write, call) for write in own if (call := comes_late(write, analysis, book))]
    for write, call in late:
        details = {
            "name": write.name,
            "callee": analysis.tree.source(call.func),
            "line": analysis.tree.line_words(call),
        }
        yield check(book, "set-too-late", _span(write.node, analysis), details)
    heard = [write for write in own if write not in [one for one, _ in late]]
    if heard:
        yield from _mapped_twice(heard, analysis, book)
        yield from _growth_forced(heard, analysis, book)


def comes_late(write: Write, analysis: Analysis, book: Rulebook) -> ast.Call | None:
    """Return what has read a variable before it is set, which then has no effect."""
    configs = analysis.facts.configs
    return read_before(write.name, write.node, analysis.tree, analysis.symbols, configs, book)


def _mapped_twice(writes: list[Write], analysis: Analysis, book: Rulebook) -> Iterator[Told]:
    """Find a visible_device_list that counts within CUDA_VISIBLE_DEVICES."""
    tree = analysis.tree
    listed = [write for write in writes if write.name == "CUDA_VISIBLE_DEVICES"]
    known = _known(listed[0], analysis) if len(listed) == 1 else None
    if not isinstance(known, str) or tree.guards(listed[0].node):
        return
    devices = visible_devices(known)
    for config in analysis.facts.configs:
        for setting in config.settings:
            value = setting.value.known
            is_list = setting.field == "gpu_options.visible_device_list"
            if not is_list or not isinstance(value, str) or not tree.holds(setting.node):
                continue
            ids = [part.strip() for part in value.split(",") if part.strip()]
            if not all(part.isdigit() for part in ids) or not devices.ids:
                continue
            missing = [part for part in ids if int(part) >= len(devices.ids)]
            real = [devices.ids[int(part)] for part in ids if part not in missing]
            if real == ids and not missing:
                continue
            effect = f"they are CUDA's GPUs {', '.join(real)}"
            if missing:
                count = len(devices.ids)
                effect = f"there is no {missing[0]} among {count}, which is an error"
            details = {"value": value, "devices": known, "effect": effect}
            yield check(book, "mapped-twice", _span(setting.node, analysis), details)


def _growth_forced(writes: list[Write], analysis: Analysis, book: Rulebook) -> Iterator[Told]:
    """Find growth that is asked for in a program that switches it off by a variable."""
    off = [
        write
        for write in writes
        if write.name == "TF_FORCE_GPU_ALLOW_GROWTH"
        and _known(write, analysis) == "false"
        and not analysis.tree.guards(write.node)
    ]
    if not off:
        return
    line = analysis.tree.line_words(off[0].node)
    nodes: list[ast.AST] = [
        setting.node
        for config in analysis.facts.configs
        for setting in config.settings
        if setting.field == "gpu_options.allow_growth" and setting.value.known is True
    ]
    for call in analysis.tree.calls:
        given = call.args[1] if len(call.args) > 1 else None
        is_growth = given is not None and analysis.values.known(given) is True
        if is_growth and analysis.symbols.name(call.func) == _GROWTH:
            nodes.append(call)
    for node in nodes:
        if analysis.tree.holds(node):
            yield check(book, "growth-forced-off", _span(node, analysis), {"line": line})


def _known(write: Write, analysis: Analysis) -> object:
    """Return the value that is set, where it is known; that of `%env` is no expression."""
    return write.known if write.value is write.node else analysis.values.known(write.value)


def _span(node: ast.AST, analysis: Analysis) -> Span:
    tree = analysis.tree
    return Span(*tree.position(node), *tree.end(node))
