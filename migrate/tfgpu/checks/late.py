"""Settings that come after something that initialises the GPUs."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from tfgpu.checks.report import Report
from tfgpu.checks.setters import Setter
from tfgpu.checks.usual_order import UsualOrder
from tfgpu.code.index import Import
from tfgpu.decide.starts import Start, called
from tfgpu.flow.callees import argument
from tfgpu.flow.collect import Analysis
from tfgpu.flow.facts import Config, Setting
from tfgpu.flow.match import device_ids
from tfgpu.rulebook.book import Rulebook

# Fields of a config that TensorFlow 1 read when it made a GPU.
_MADE_WITH = (
    "gpu_options.allow_growth",
    "gpu_options.per_process_gpu_memory_fraction",
    "gpu_options.experimental.virtual_devices",
)


def late_settings(
    found: list[Setter], first: Iterable[Start], order: UsualOrder, analysis: Analysis
) -> Iterator[Report]:
    """Find settings that TensorFlow refuses, or ignores, because of where they stand."""
    starts = list(first) if found else []
    for setter in found:
        before = (item for item in starts if order.before(item.call, setter.call))
        start = next((item for item in before if not _shows_more(item, setter, found, order)), None)
        if start is None or _is_made_earlier(setter, found, start.call, order):
            continue
        if not start.silent and _changes(setter):
            rule = "late-setting"
        elif start.silent and _is_lost(setter):
            rule = "ignored-setting"
        else:
            continue
        details = _details(start.call, setter.call, order, analysis)
        yield Report(rule, setter.call, {"call": setter.name, "moved": "it", **details})


def late_configs(
    first: Iterable[Start], order: UsualOrder, analysis: Analysis, book: Rulebook
) -> Iterator[Report]:
    """Find settings of configs whose GPUs have certainly been made before their sessions are.

    TensorFlow 1 ignored them as well, so they may be converted, and what is written is late, too.
    """
    starts = [
        start for start in first if start.silent and not _may_hide(start.call, analysis, book)
    ]
    of_call: dict[ast.Call, list[Config]] = {}
    for config in analysis.facts.configs:
        for call in dict.fromkeys(sink.call for sink in config.sinks):
            of_call.setdefault(call, []).append(config)
    for config in analysis.facts.configs if starts else ():
        for setting in filter(_is_too_late, config.settings):
            # A session that is made before the setting does not have it.
            made = [it.made for it in config.sinks if not order.before(it.made, setting.node)]
            start = None
            for call in (item.call for item in starts) if made else ():
                if all(order.before(call, it) for it in made):
                    if _has_alike(call, setting, of_call, order):
                        start = None
                        break
                    start = start or call
            if start is not None:
                # The config applies nothing where it is built: what comes too late is its session.
                field = setting.field.rpartition(".")[2]
                where = analysis.tree.where_from(made[0], setting.node)
                details = {
                    "call": f"the session that applies {field} ({where})",
                    "moved": "that session",
                    **_details(start, made[0], order, analysis),
                }
                yield Report("ignored-setting", setting.node, details)


def _has_alike(
    call: ast.Call, setting: Setting, of_call: Mapping[ast.Call, list[Config]], order: UsualOrder
) -> bool:
    """Tell whether a session was made with the same value, or with one that is not known."""
    return any(
        other.field == setting.field
        and other.value.known in (setting.value.known, None)
        and order.before(other.node, call)
        for config in of_call.get(call, ())
        for other in config.settings
    )


def _is_too_late(setting: Setting) -> bool:
    """Tell whether a field of a config is lost, or refused, once the GPUs are there."""
    if setting.field == "gpu_options.visible_device_list":
        return (device_ids(setting.value) or [0])[0] != 0
    return setting.field.startswith(_MADE_WITH) and setting.value.known not in (False, 0)


def late_imports(found: list[Setter], order: UsualOrder, analysis: Analysis) -> Iterator[Import]:
    """Yield the imports that certainly come before a setting."""
    changing = [setter for setter in found if _changes(setter)]
    for item in analysis.tree.imports if changing else ():
        if any(order.before(item.statement, setter.call) for setter in changing):
            yield item


def imported_starts(
    found: list[Setter],
    places: Mapping[tuple[str, str], tuple[str, str]],
    order: UsualOrder,
    analysis: Analysis,
) -> Iterator[Report]:
    """Find settings after the import of a module that initialises the GPUs when it is imported.

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
                where = tree.where_from(item.statement, setter.call)
                place = f"{start[1]}, imported in {where}"
                details = {"call": setter.name, "first": start[0], "place": place, "where": where}
                yield Report("late-setting", setter.call, details)
                break


def without_gpus(start: Start, found: list[Setter], order: UsualOrder) -> bool:
    """Tell whether a session may create no GPU, because all of them may be hidden before it."""
    return start.silent and any(
        other.sets == "visible"
        and isinstance(other.device, ast.List | ast.Tuple)
        and not other.device.elts
        and not order.before(start.call, other.call)
        for other in found
    )


def _shows_more(start: Start, setter: Setter, found: list[Setter], order: UsualOrder) -> bool:
    """Tell whether a session made fewer GPUs than are visible where a setting stands."""
    visible = [other for other in found if other.sets == "visible"]
    return (
        start.silent
        and any(_changes(other) and not order.before(start.call, other.call) for other in visible)
        and any(
            order.before(start.call, other.call) and not order.before(setter.call, other.call)
            for other in visible
        )
    )


def _may_hide(call: ast.Call, analysis: Analysis, book: Rulebook) -> bool:
    """Tell whether a call that makes GPUs may be given a config that hides some of them."""
    name = analysis.symbols.name(call.func) or ""
    rule = book.sinks.get(name)
    if rule is None:
        return False
    if any(isinstance(item, ast.Starred) for item in call.args) or any(
        keyword.arg is None for keyword in call.keywords
    ):
        return True
    if argument(call, rule.argument, rule.calls[name]) is None:
        return False
    taken = (item for item in analysis.facts.configs if any(it.call is call for it in item.sinks))
    config = next(taken, None)
    if config is None or config.problems:
        return True
    fields = (setting.field for setting in config.settings)
    return any(item.hides_gpus for field in fields for item in book.fields.get(field, ()))


def _details(
    start: ast.Call, late: ast.AST, order: UsualOrder, analysis: Analysis
) -> dict[str, str]:
    """Name what starts the GPUs before something, and from where: lines alone may tell otherwise.

    A function stands above what calls it, and above what is to come before that call.
    """
    tree = analysis.tree
    site = order.site_before(start, late) or start
    place, where = tree.where_from(start, late), tree.where_from(site, late)
    if site is not start:
        place = f"{place}, reached from {where}"
    return {"first": called(start), "place": place, "where": where}


def _is_made_earlier(
    setter: Setter, found: list[Setter], start: ast.Call, order: UsualOrder
) -> bool:
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
    if named is not None and named.kind == "CPU":
        return False  # each session makes its own
    return setter.sets in ("growth", "virtual")
