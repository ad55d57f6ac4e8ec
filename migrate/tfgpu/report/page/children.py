"""The processes that both legs started: what each showed, before beside after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from tfgpu.report.page.markup import Markup, absent, code, details, el, join, table, tr
from tfgpu.report.summary import count
from tfgpu.report.verdict_words import ended, mib, size
from tfgpu.verify.observation import AS_PLACED, Observation
from tfgpu.verify.verdict import Verdict

_LEGS = ("before", "after")
_MOST = 20

_Pair = tuple[Observation | None, Observation | None]


def has_children(verdict: Verdict) -> bool:
    """Tell whether a leg started a process that made sessions."""
    return bool(verdict.before.children or verdict.after.children)


def child_processes(verdict: Verdict) -> Markup:
    """Return a table for each child process, those of the same name in their order."""
    pairs = list(_pairs(verdict))
    parts = [
        details(_title(pair), table(("", *_LEGS), _rows(pair), _title(pair), "legs"), open_=True)
        for pair in pairs[:_MOST]
    ]
    if len(pairs) > _MOST:
        parts.append(el("p", f"{len(pairs) - _MOST:,} more; the JSON report has all"))
    return join(parts)


def _pairs(verdict: Verdict) -> Iterator[_Pair]:
    legs = (verdict.before, verdict.after)
    for name in dict.fromkeys(child.program for leg in legs for child in leg.children):
        sides = ([child for child in leg.children if child.program == name] for leg in legs)
        yield from zip_longest(*sides)


def _title(pair: _Pair) -> str:
    return next(child.program for child in pair if child) or "child process"


def _rows(pair: _Pair) -> Iterator[Markup]:
    yield _row("ended", [join([ended(child)]) if child else None for child in pair])
    yield _row("sessions", [_sessions(child) if child else None for child in pair])
    yield _row("devices", [_devices(child) if child else None for child in pair])
    yield _row("operations", [_operations(child) if child else None for child in pair])
    yield _row("GPU memory", [_memory(child) if child else None for child in pair])
    for name in sorted({key for child in pair if child for key in child.settings}):
        yield _row(name, [code(child.settings.get(name, "")) if child else None for child in pair])


def _row(name: str, values: Sequence[Markup | None]) -> Markup:
    shown = (absent("no such process") if value is None else value or absent() for value in values)
    return tr(name, dict(zip(_LEGS, shown, strict=True)))


def _lines(parts: Iterable[str]) -> Markup:
    shown = [el("div", part) for part in parts]
    return el("div", *shown) if shown else Markup("")


def _sessions(child: Observation) -> Markup:
    return _lines(
        join([one.title, *([" at ", code(one.source)] if one.source else [])])
        for one in child.sessions
    )


def _devices(child: Observation) -> Markup:
    found = {one: None for session in child.sessions for one in session.devices}
    return _lines(
        join([one.name, f", {mib(one.limit)} on ", code(one.bus)]) if one.bus else one.name
        for one in found
    )


def _operations(child: Observation) -> Markup:
    counts = Counter(
        operation.device
        for graph in child.placements
        if graph.title != AS_PLACED
        for operation in graph.operations
    )
    return _lines(f"{count(counts[device], 'operation')} on {device}" for device in sorted(counts))


def _memory(child: Observation) -> Markup:
    return _lines(
        join([code(gpu.bus), f": {size(gpu.peak)} at most, first {size(gpu.calls[0][1])}"])
        for gpu in child.memory
        if gpu.calls
    )
