"""What goes wrong between the environment and the rest of a program, in Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.environment.devices import visible_devices
from tfgpu.environment.model import Span
from tfgpu.environment.report import Told, check
from tfgpu.flow.collect import Analysis
from tfgpu.flow.variables import Write
from tfgpu.rulebook.book import Rulebook

# What CUDA reads when it is initialised.
_CUDA = frozenset(["CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"])
_GROWTH = "tf.config.experimental.set_memory_growth"


def hazards(writes: list[Write], analysis: Analysis, book: Rulebook) -> Iterator[Told]:
    """Yield what is wrong with the variables that a file sets for its own process."""
    own = [write for write in writes if write.how not in ("child", "removed")]
    if own:
        yield from _late(own, analysis, book)
        yield from _mapped_twice(own, analysis, book)
        yield from _growth_forced(own, analysis, book)


def _late(writes: list[Write], analysis: Analysis, book: Rulebook) -> Iterator[Told]:
    """Find variables that are set when the GPUs are there, or CUDA has been asked for them."""
    tree, symbols = analysis.tree, analysis.symbols
    watched = [write for write in writes if write.name in book.variables_of_devices]
    named = [(call, symbols.name(call.func)) for call in tree.calls] if watched else []
    settings = (item for config in analysis.facts.configs for item in config.settings)
    if any(item.field.startswith("device_count") for item in settings):
        # A session without GPUs leaves CUDA alone.
        named = [(call, name) for call, name in named if not (name or "").endswith("Session")]
    asks = [call for call, name in named if name in book.starts_cuda]
    makes = [call for call, name in named if name in book.makes_devices]
    for write in watched:
        earlier = makes if write.name not in _CUDA else [*asks, *makes]
        found = next((call for call in earlier if _certainly_before(call, write, analysis)), None)
        if found is not None:
            details = {
                "name": write.name,
                "callee": tree.source(found.func),
                "line": tree.line_words(found),
            }
            yield check(book, "set-too-late", _span(write.node, analysis), details)


def _certainly_before(call: ast.Call, write: Write, analysis: Analysis) -> bool:
    """Tell whether a call has certainly run when a variable is set."""
    tree = analysis.tree
    guards, around = tree.guards(call), tree.guards(write.node)
    if tree.function(call) is tree.function(write.node):
        return tree.position(call) < tree.position(write.node) and around[: len(guards)] == guards
    if tree.function(call).kind != "module" or guards:
        return False
    # Module code runs before the functions that are defined below it.
    outer = tree.function(write.node).node
    while tree.function(outer).kind != "module":
        outer = tree.function(outer).node
    return tree.position(call) < tree.position(outer)


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
