"""Memory growth and logical devices that contradict each other, or what TensorFlow accepts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgpu.checks.report import Report
from tfgpu.checks.setters import Setter, is_expected_to_fail
from tfgpu.checks.usual_order import UsualOrder
from tfgpu.flow.callees import argument
from tfgpu.flow.collect import Analysis
from tfgpu.flow.modern import asks_for_version
from tfgpu.flow.named_gpus import Named
from tfgpu.rulebook.book import Rulebook

_LIMITS = frozenset(
    [
        "tf.config.LogicalDeviceConfiguration",
        "tf.config.experimental.VirtualDeviceConfiguration",
    ]
)
_DROPPED = "growth is dropped without a word, on all GPUs"
_REFUSED = "TensorFlow raises ValueError"


def both_ways(found: list[Setter], order: UsualOrder, analysis: Analysis) -> Iterator[Report]:
    """Find memory growth and logical devices in the same run of a program."""
    virtual = [item for item in found if item.sets == "virtual" and _is_gpu(item)]
    growing = [item for item in found if _is_gpu(item) and _is_on(item, analysis)]
    for growth in growing if virtual else ():
        for other in virtual:
            first = order.before(other.call, growth.call)
            if first or order.before(growth.call, other.call):
                is_error = first and _may_be_same(growth.named, other.named)
                effect = _REFUSED if is_error else _DROPPED
                place = analysis.tree.where_from(other.call, growth.call)
                details = {"place": place, "effect": effect}
                yield Report("growth-and-virtual", growth.call, details)
                break


def one_grows(found: list[Setter], analysis: Analysis) -> Iterator[Report]:
    """Find memory growth that is set on one GPU only, while nothing hides the others."""
    growth = [item for item in found if item.sets == "growth"]
    if len(growth) != 1:
        return
    tree, call, named = analysis.tree, growth[0].call, growth[0].named
    if named is None or named.kind != "GPU" or named.index is None or named.many:
        return
    from tfgpu.flow.environment import environment_writes  # noqa: PLC0415 - few need it

    words = {word for file in tree.files for word in (*file.words, *file.attributes)}
    hides = "set_visible_devices" in words or any(
        name == "CUDA_VISIBLE_DEVICES" for name, _ in environment_writes(tree, analysis.symbols)
    )
    if _is_on(growth[0], analysis) and not hides and not _asks_for_count(call, analysis):
        yield Report("growth-on-one-gpu", call, {"index": str(named.index)})


def wrong_values(found: list[Setter], analysis: Analysis) -> Iterator[Report]:
    """Find values that TensorFlow refuses, at once or when it starts."""
    for setter in found:
        if setter.sets == "growth" and setter.value is not None:
            known = analysis.values.known(setter.value)
            if isinstance(known, str | float):
                yield Report("growth-not-bool", setter.value, {"value": repr(known)})
        elif setter.sets == "visible" and setter.value is None and _drops_cpu(setter):
            yield Report("visible-without-type", setter.call)


def wrong_devices(found: list[Setter], analysis: Analysis) -> Iterator[Report]:
    """Find what is not a physical device, or not one that can be set that way."""
    for setter in found:
        device, named = setter.device, setter.named
        if device is None or setter.sets not in ("growth", "visible", "virtual"):
            continue
        known = analysis.values.known(device)
        if isinstance(device, ast.List) and len(device.elts) == 1:
            known = analysis.values.known(device.elts[0])
        why = ""
        if isinstance(known, str | int):
            why = f"{known!r} is no physical device"
        elif named is not None and setter.sets != "visible" and named.many:
            why = f"`{ast.unparse(device)}` is a list of devices, not one of them"
        elif named is not None and setter.sets == "growth" and named.kind != "GPU":
            guarded = any(isinstance(item, ast.If) for item, _ in analysis.tree.guards(setter.call))
            if named.kind == "CPU" or (named.whole and not guarded):
                why = "memory growth can be set on GPUs only, and the CPU is among these devices"
        if why:
            yield Report("wrong-device", setter.call, {"call": setter.name, "why": why})


def wrong_limits(found: list[Setter], analysis: Analysis) -> Iterator[Report]:
    """Find sizes of logical devices that leave no memory, or no limit."""
    kinds = {id(item): setter for setter in found for item in _configurations(setter)}
    for call, name in analysis.symbols.calls(analysis.tree):
        if name not in _LIMITS:
            continue
        if any(item.arg is None for item in call.keywords) or is_expected_to_fail(call, analysis):
            continue
        setter = kinds.get(id(call))
        kind = setter.named.kind if setter is not None and setter.named is not None else ""
        why = _wrong_limit(argument(call, "memory_limit", ("memory_limit",)), kind, analysis)
        if why:
            yield Report("wrong-limit", call, {"why": why})


def _wrong_limit(limit: ast.expr | None, kind: str, analysis: Analysis) -> str:
    """Say what is wrong with the size of a logical device of a kind of device."""
    known = analysis.values.known(limit) if limit is not None else None
    if isinstance(known, str):
        return f"{known!r} is a string: TypeError when TensorFlow starts"
    if isinstance(known, int | float) and known < 0:
        return f"{known} is accepted, and the device is made with {known} MB of memory"
    if isinstance(known, int | float) and known < 1:
        return f"{known} leaves no memory: the first operation on the GPU fails"
    missing = limit is None or analysis.values.is_none(limit)
    if kind == "GPU" and missing:
        return "a logical GPU needs a memory_limit: ValueError"
    if kind == "CPU" and not missing:
        return "a logical CPU takes no memory_limit: ValueError"
    return ""


def _configurations(setter: Setter) -> list[ast.expr]:
    """Return the logical devices of a setting, as far as they are written out there."""
    value = setter.value
    return value.elts if setter.sets == "virtual" and isinstance(value, ast.List) else []


def _is_gpu(setter: Setter) -> bool:
    return setter.named is not None and setter.named.kind == "GPU"


def _is_on(setter: Setter, analysis: Analysis) -> bool:
    """Tell whether a setting turns memory growth on."""
    value = setter.value
    return setter.sets == "growth" and value is not None and analysis.values.known(value) is True


def _may_be_same(one: Named | None, other: Named | None) -> bool:
    """Tell whether two settings certainly apply to the same GPU at least once."""
    assert one is not None
    assert other is not None
    return one.whole or other.whole or (one.index is not None and one.index == other.index)


def _drops_cpu(setter: Setter) -> bool:
    """Tell whether only GPUs, or none at all, are given."""
    is_empty = isinstance(setter.device, ast.List) and not setter.device.elts
    return is_empty or _is_gpu(setter)


def _asks_for_count(call: ast.Call, analysis: Analysis) -> bool:
    """Tell whether code runs only for one GPU: `if len(gpus) == 1`."""
    return any(
        isinstance(guard, ast.If) and "== 1" in ast.unparse(guard.test)
        for guard, _ in analysis.tree.guards(call)
    )


def sessions_beside(
    found: list[Setter], order: UsualOrder, analysis: Analysis, book: Rulebook
) -> Iterator[Report]:
    """Find sessions that are given a config after tf.config has set something for the GPUs."""
    tree, facts = analysis.tree, analysis.facts
    setters = [
        item
        for item in found
        if item.sets in ("growth", "visible", "virtual") and not asks_for_version(item.call, tree)
    ]
    sinks = [sink for config in facts.configs for sink in config.sinks] if setters else []
    for sink in (*sinks, *facts.foreign_sinks) if setters else ():
        if sink.argument is not None and _is_none(sink.argument, analysis, book):
            continue
        first = next((item for item in setters if order.before(item.call, sink.made)), None)
        if first is not None and not asks_for_version(sink.call, tree):
            where = analysis.tree.where_from(first.call, sink.call)
            yield Report("session-beside", sink.call, {"call": first.name, "place": where})


def _is_none(node: ast.expr, analysis: Analysis, book: Rulebook) -> bool:
    """Tell whether an expression is None: what a setter of tf.config returns is, too."""
    values: list[ast.expr | None] = [node]
    if isinstance(node, ast.Name):
        values = [binding.value for binding in analysis.symbols.bindings(node)]
    return bool(values) and all(
        value is not None
        and (
            analysis.values.is_none(value)
            or (isinstance(value, ast.Call) and _sets(value, analysis, book))
        )
        for value in values
    )


def _sets(call: ast.Call, analysis: Analysis, book: Rulebook) -> bool:
    name = analysis.symbols.name(call.func) or ""
    return name.startswith("tf.config.") and name in book.setters
