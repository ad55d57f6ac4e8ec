"""The two runs, and the processes that they started: what ran, how it ended, what it wrote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest

from tfgpu.report.page.markup import Markup, absent, code, details, el, join, table, tr
from tfgpu.report.summary import count
from tfgpu.report.verdict_words import ended, mib, size
from tfgpu.verify.observation import AS_PLACED, Observation
from tfgpu.verify.verdict import Verdict

_LEGS = ("before", "after")
_MOST_OUTPUT = 60_000
_MOST = 20

_Pair = tuple[Observation | None, Observation | None]


def legs_table(verdict: Verdict) -> Markup:
    """Return what ran, with which versions, and how it ended."""
    told: dict[str, Callable[[Observation], str]] = {
        "program": lambda leg: code(leg.program),
        "TensorFlow": _tensorflow,
        "Python": lambda leg: leg.python,
        "ended": _end,
        "time": lambda leg: f"{leg.seconds:.1f} s",
    }
    rows = [_row(name, list(map(words, _both(verdict)))) for name, words in told.items()]
    return table(("", *_LEGS), rows, "The two runs", "legs")


def surroundings(verdict: Verdict) -> Markup:
    """Return environment, threads, sessions and host memory of both runs, to look up."""
    rows = [
        *_mapping("variable", verdict.before.environment, verdict.after.environment),
        *_mapping("threads", verdict.before.threads, verdict.after.threads),
        _row("sessions", [_sessions(leg) for leg in _both(verdict)]),
        _row("host memory", [size(leg.peak_rss) for leg in _both(verdict)]),
    ]
    made = table(("", *_LEGS), rows, "What surrounded the two runs", "legs")
    return details("Environment, threads and sessions", made)


def outputs(verdict: Verdict) -> Markup:
    """Return what both programs wrote and, if they failed, the tracebacks."""
    parts = []
    for name, leg in zip(_LEGS, _both(verdict), strict=True):
        if leg.failure:
            parts.append(_output(f"{name}: traceback", leg.failure.traceback))
        parts += [
            _output(f"{name}: standard output", leg.stdout),
            _output(f"{name}: standard error", leg.stderr),
        ]
    return join(parts)


def _both(verdict: Verdict) -> tuple[Observation, Observation]:
    return verdict.before, verdict.after


def _row(name: str, values: Sequence[str]) -> Markup:
    return tr(name, dict(zip(_LEGS, values, strict=True)))


def _tensorflow(leg: Observation) -> str:
    return f"{leg.tensorflow}, standing in for TensorFlow 1" if leg.stands_in else leg.tensorflow


def _end(leg: Observation) -> Markup:
    failure = leg.failure
    if not failure:
        return join([ended(leg)])
    place = join([", at ", code(failure.source)]) if failure.source else ""
    return join([ended(leg), ": ", failure.message, place])


def _mapping(name: str, before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[str]:
    for key in sorted({*before, *after}):
        yield _row(
            f"{name} {key}",
            [code(str(leg[key])) if key in leg else absent("not set") for leg in (before, after)],
        )


def _sessions(leg: Observation) -> Markup:
    if not leg.sessions:
        return absent("none")
    return join(_titles(leg), "; ")


def _titles(leg: Observation) -> Iterator[Markup]:
    for session in leg.sessions:
        yield join([session.title, *([" at ", code(session.source)] if session.source else [])])


def _output(title: str, text: str) -> Markup:
    if not text:
        return el("p", f"{title}: nothing", class_="no-output")
    lines = count(len(text.splitlines()), "line")
    if len(text) > _MOST_OUTPUT:
        left = len(text) - _MOST_OUTPUT
        text = f"({left:,} characters left out; the JSON report has all)\n{text[-_MOST_OUTPUT:]}"
    # A line feed right after <pre> is not shown, so one more keeps the text's own.
    return details(f"{title} ({lines})", el("pre", "\n", text, tabindex=0))


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
    told: dict[str, Callable[[Observation], Markup]] = {
        "ended": lambda child: join([ended(child)]),
        "sessions": lambda child: _lines(_titles(child)),
        "devices": _devices,
        "operations": _operations,
        "GPU memory": _memory,
    }
    for name, words in told.items():
        yield _of_both(name, pair, words)
    for setting in sorted({key for child in pair if child for key in child.settings}):
        yield _of_both(setting, pair, partial(_setting, setting))


def _setting(name: str, child: Observation) -> Markup:
    return code(child.settings.get(name, ""))


def _of_both(name: str, pair: _Pair, words: Callable[[Observation], Markup]) -> Markup:
    """Return what both of a pair say, in some words."""
    shown = (words(child) or absent() if child else absent("no such process") for child in pair)
    return _row(name, list(shown))


def _lines(parts: Iterable[str]) -> Markup:
    shown = [el("div", part) for part in parts]
    return el("div", *shown) if shown else Markup("")


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
