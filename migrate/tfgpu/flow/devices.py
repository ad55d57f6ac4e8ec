"""Devices that `tf.device` names: GPUs that the program has hidden, and kinds that are gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfgpu.code.symbols import Symbols
from tfgpu.code.tree import Tree, last_name
from tfgpu.code.values import Values
from tfgpu.files.pattern import expression
from tfgpu.flow import reasons
from tfgpu.flow.callees import Callees
from tfgpu.flow.facts import Facts
from tfgpu.flow.reasons import Problem
from tfgpu.flow.strings import Strings
from tfgpu.rulebook.book import Rulebook

_GPU = expression(r"(?:device:)?gpu:(\d+)", re.I)
_XLA = expression(r"device:(XLA_[CG]PU)(?::\d+)?", re.I)
# A device string that names a GPU, or the type of a device.
_DEVICE = expression(r"(?:.*/)?(?:device:)?gpu(?::.*|/.*)?$", re.IGNORECASE | re.DOTALL)
_MAKERS = frozenset(["DeviceSpec", "DeviceSpecV2", "from_string", "replica_device_setter"])
_SOFT = "; what is placed there runs on another device, silently, by soft placement"
# Parts of a device string that name this process, or nothing.
_HERE = expression(r"|job:localhost|(?:replica|task):0", re.I)


def device_problems(
    tree: Tree,
    symbols: Symbols,
    values: Values,
    callees: Callees,
    facts: Facts,
    book: Rulebook,
) -> Iterator[Problem]:
    """Find `tf.device` strings that name a device which is certainly not there."""
    for file in tree.files:
        for problem in _problems_of(file, symbols, values, callees, facts, book):
            from tfgpu.flow.visible import splits_gpus  # noqa: PLC0415 - few need it

            if not isinstance(problem, reasons.GpuOutOfRange) or not splits_gpus(tree):
                yield problem


def _problems_of(
    tree: Tree,
    symbols: Symbols,
    values: Values,
    callees: Callees,
    facts: Facts,
    book: Rulebook,
) -> Iterator[Problem]:
    found = []
    strings = Strings(tree, symbols)
    for call, name in symbols.calls(tree):
        if name == "tf.device" and (call.args or call.keywords):
            node = call.args[0] if call.args else call.keywords[0].value
            text = strings.certain(node)
            if text is not None:
                found.append((node, text))
    if not found:
        return
    from tfgpu.flow.visible import Visible  # noqa: PLC0415 - few need it

    visible = Visible(tree, symbols, values, callees, facts, book)
    for node, text in found:
        parts = [part for part in text.split("/") if not _HERE.fullmatch(part)]
        if len(parts) != 1:
            continue
        xla, gpu = _XLA.fullmatch(parts[0]), _GPU.fullmatch(parts[0])
        if xla is not None:
            yield reasons.XlaDevice(node, xla[1].upper())
        elif gpu is not None and visible.is_unconditional(_outside_loops(node, tree)):
            bound = visible.bound(node)
            if bound is not None and int(gpu[1]) >= bound.count:
                soft = visible.soft_placement()
                hint = f"{_SOFT} (line {tree.line_words(soft)})" if soft is not None else ""
                yield reasons.GpuOutOfRange(node, text, bound.node, str(bound.count or "no"), hint)


def _outside_loops(node: ast.AST, tree: Tree) -> ast.AST:
    """Return the outermost loop around a node in its function, or the node itself."""
    loops = (ast.For, ast.AsyncFor)
    guards = tree.guards(node)
    for guard, part in reversed(guards):
        if not (isinstance(guard, loops) and part == "body"):
            break
        node = guard
    return node


def gpu_devices(tree: Tree, symbols: Symbols) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Yield each tf.device whose device has a text that names a GPU, with the device.

    So do a device of a graph, and one of a name that leads to such a text.
    """
    strings = Strings(tree, symbols)
    for call in tree.calls:
        if last_name(call.func) != "device" or not (call.args or call.keywords):
            continue
        node = call.args[0] if call.args else call.keywords[0].value
        is_named = symbols.name(call.func) == "tf.device"
        has_text = is_named and any("gpu" in text.lower() for text in _texts(node))
        may_be = is_named or _may_be_tensorflow(call.func, symbols)
        if has_text or (may_be and _names_gpu(node, strings, symbols)):
            yield call, node


def _texts(node: ast.AST) -> Iterator[str]:
    for item in ast.walk(node):
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            yield item.value


def _may_be_tensorflow(function: ast.expr, symbols: Symbols) -> bool:
    """Tell whether something named `device` may be that of TensorFlow, or of a graph."""
    name = symbols.name(function)
    return isinstance(function, ast.Attribute) and (
        name is None
        or name.startswith("tf.")
        or "tensorflow" in name
        or name.endswith(".compat.device")
    )


def _names_gpu(node: ast.expr, strings: Strings, symbols: Symbols, depth: int = 3) -> bool:
    """Tell whether an expression may be a device string of a GPU, or makes a device of one."""
    if any(_DEVICE.match(text) for text in strings.of(node)):
        return True
    parts = [part for item in ast.walk(node) for part in _made_of(item, symbols)]
    return depth > 0 and any(_names_gpu(part, strings, symbols, depth - 1) for part in parts)


def _made_of(node: ast.AST, symbols: Symbols) -> list[ast.expr]:
    """Return what a device is made of: what a function returns, what a DeviceSpec is given."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    if isinstance(node, ast.Call) and last_name(node.func) in _MAKERS:
        return [*node.args, *(item.value for item in node.keywords)]
    if not isinstance(node, ast.Name):
        return []
    found = symbols.bindings(node)
    values: list[ast.expr] = [
        item.value for item in found if isinstance(item.value, ast.Call | ast.Lambda)
    ]
    for function in (item.node for item in found if isinstance(item.node, ast.FunctionDef)):
        returned = (item for item in ast.walk(function) if isinstance(item, ast.Return))
        values += [item.value for item in returned if item.value is not None]
    return values
