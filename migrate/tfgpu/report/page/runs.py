"""The two runs themselves: what ran, how it ended, what it wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tfgpu.report.page.markup import Markup, absent, code, details, el, join, table, tr
from tfgpu.report.summary import count
from tfgpu.report.verdict_words import ended, size
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Verdict

_LEGS = ("before", "after")
_MOST_OUTPUT = 60_000


def legs_table(verdict: Verdict) -> Markup:
    """Return what ran, with which versions, and how it ended."""
    rows = [
        _row("program", [code(leg.program) for leg in _both(verdict)]),
        _row("TensorFlow", [_tensorflow(leg) for leg in _both(verdict)]),
        _row("Python", [leg.python for leg in _both(verdict)]),
        _row("ended", [_end(leg) for leg in _both(verdict)]),
        _row("time", [f"{leg.seconds:.1f} s" for leg in _both(verdict)]),
    ]
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
    return join(
        (
            join([session.title, *([" at ", code(session.source)] if session.source else [])])
            for session in leg.sessions
        ),
        "; ",
    )


def _output(title: str, text: str) -> Markup:
    if not text:
        return el("p", f"{title}: nothing", class_="no-output")
    lines = count(len(text.splitlines()), "line")
    if len(text) > _MOST_OUTPUT:
        left = len(text) - _MOST_OUTPUT
        text = f"({left:,} characters left out; the JSON report has all)\n{text[-_MOST_OUTPUT:]}"
    # A line feed right after <pre> is not shown, so one more keeps the text's own.
    return details(f"{title} ({lines})", el("pre", "\n", text, tabindex=0))
