"""Settings that come after something that initialises the GPUs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from tfgpu.checks.order import Order
from tfgpu.checks.setters import Setter, place
from tfgpu.checks.starts import Start
from tfgpu.code.tree import Import
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Problem


def late_settings(
    found: list[Setter], first: Iterable[Start], order: Order, analysis: Analysis
) -> Iterator[Problem]:
    """Find settings that TensorFlow refuses, or ignores, because of where they stand."""
    starts = list(first) if found else []
    for setter in found:
        start = next((item for item in starts if order.before(item.call, setter.call)), None)
        if start is None or _is_made_earlier(setter, found, start.call, order):
            continue
        if not start.silent and _changes(setter):
            yield Problem("late-setting", setter.call, _details(setter, start.call, analysis))
        elif start.silent and _is_lost(setter):
            yield Problem("ignored-setting", setter.call, _details(setter, start.call, analysis))


def late_imports(found: list[Setter], order: Order, analysis: Analysis) -> Iterator[Import]:
    """Yield the imports that certainly come before a setting."""
    changing = [setter for setter in found if _changes(setter)]
    for item in analysis.tree.imports if changing else ():
        if any(order.before(item.statement, setter.call) for setter in changing):
            yield item


def imported_starts(
    found: list[Setter],
    places: Mapping[tuple[str, str], tuple[str, str]],
    order: Order,
    analysis: Analysis,
) -> Iterator[Problem]:
    """Find settings behind the import of a module that initialises the GPUs when it is imported.

    `places` has such imports, by the path of the importing file and what it imports: the call, and
    its place.
    """
    tree = analysis.tree
    for setter in found if places else ():
        for item in tree.imports:
            start = places.get((tree.file(item.statement).path, item.path))
            if start is None or not _changes(setter):
                continue
            if order.before(item.statement, setter.call):
                details = {"call": setter.name, "first": start[0], "place": start[1]}
                yield Problem("late-setting", setter.call, details)
                break


def _details(setter: Setter, call: ast.Call, analysis: Analysis) -> dict[str, str]:
    return {
        "call": setter.name,
        "first": ast.unparse(call.func),
        "place": place(call, setter.call, analysis),
    }


def _is_made_earlier(setter: Setter, found: list[Setter], start: ast.Call, order: Order) -> bool:
    """Tell whether the same may have been set before: the same value again is no error."""
    return any(
        other is not setter
        and other.sets == setter.sets
        and (order.before(other.call, start) or not order.before(start, other.call))
        for other in found
    )


def _changes(setter: Setter) -> bool:
    """Tell whether a setting changes anything: all GPUs are visible as it is."""
    named = setter.named
    return setter.sets != "visible" or named is None or not (named.whole and named.many)


def _is_lost(setter: Setter) -> bool:
    """Tell whether a setting is lost once the devices are there.

    Hiding GPUs still works then, if the ones that stay are the first.
    """
    named = setter.named
    if setter.sets == "visible":
        return named is not None and named.index not in (None, 0)
    return setter.sets in ("growth", "virtual")
