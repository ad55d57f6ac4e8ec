"""A verdict as lines for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from click import style, unstyle

from tfgpu.place import printable
from tfgpu.report.verdict_words import (
    aspect_facts,
    evidence,
    folded,
    has_scenarios,
    headline,
    notes,
    remarks,
    troubles,
)
from tfgpu.verify.lists import first_of, grouped
from tfgpu.verify.verdict import HOW_IT_ENDED, Entry, Outcome, Verdict

WIDTH = 80
MOST_PLACEMENTS = 20
_MOST_LINES = 6
_COLOURS = {
    Outcome.MATCH: "green",
    Outcome.IGNORED: "cyan",
    Outcome.INCONCLUSIVE: "yellow",
    Outcome.MISMATCH: "red",
}


def verdict_lines(verdict: Verdict) -> Iterator[str]:
    """Yield the outcome, a line for each aspect, then what differs and why; 80 columns wide."""
    outcome = style(verdict.outcome.value, fg=_COLOURS[verdict.outcome], bold=True)
    # The outcome's line is one line however long, for those who look for it in a log.
    yield f"{outcome}: {printable(headline(verdict))}"
    for aspect in verdict.aspects:
        word = style(f"{aspect.outcome.value:<12}", fg=_COLOURS[aspect.outcome])
        yield from _wrapped(f"  {aspect.name:<14} {word} ", aspect_facts(verdict, aspect))
    yield from _wrapped("  evidence       ", "; ".join(evidence(verdict)))
    yield from _scenarios(verdict)
    for kind in (Outcome.MISMATCH, Outcome.INCONCLUSIVE, Outcome.IGNORED):
        lines = [
            line
            for name, found in sorted(folded(verdict, kind).items(), key=_is_consequence)
            for line in _entries(name, found, kind)
        ]
        if kind is Outcome.INCONCLUSIVE:
            mark = style(kind.value, fg=_COLOURS[kind])
            for reason in troubles(verdict):
                lines += _wrapped(f"{mark} ", reason)
        if lines:
            yield ""
            yield from lines
    said = notes(verdict)
    if said:
        yield ""
    for note in said:
        yield from _wrapped("note: ", note)
    if verdict.add:
        yield f"add: {verdict.add}"


def _is_consequence(found: tuple[str, Sequence[tuple[Entry, list[str]]]]) -> bool:
    """Tell whether differences come behind those of how the programs ended, in a sorted list."""
    return not any(entry.subject == HOW_IT_ENDED for entry, _ in found[1])


def _scenarios(verdict: Verdict) -> Iterator[str]:
    """Yield a line for each set-up where not all match; the headline names those that do."""
    if all(one.outcome is Outcome.MATCH for one in verdict.scenarios):
        return
    if has_scenarios(verdict):
        yield ""
        for one in verdict.scenarios:
            word = style(f"{one.outcome.value:<12}", fg=_COLOURS[one.outcome])
            yield from _wrapped(f"  {word} ", " ".join([one.scenario.name, *remarks(verdict, one)]))


def _entries(
    aspect: str, found: Sequence[tuple[Entry, list[str]]], outcome: Outcome
) -> Iterator[str]:
    if outcome is Outcome.IGNORED:
        yield from _ignored(aspect, [entry for entry, _ in found])
        return
    shown = found[:MOST_PLACEMENTS] if aspect == "placement" else found
    for entry, names in shown:
        yield from _entry(aspect, entry, names)
    if len(found) > len(shown):
        yield f"and {len(found) - len(shown):,} more in {aspect}"


def _ignored(aspect: str, found: Sequence[Entry]) -> Iterator[str]:
    """Yield a text for each reason, with all that it is about: many are about every device."""
    groups = grouped(found, lambda entry: (entry.reason, entry.rule))
    for (reason, rule), entries in groups.items():
        subjects = list(dict.fromkeys(entry.subject for entry in entries))
        what = f"{aspect}: {first_of(subjects, 3)}" + (f" ({rule})" if rule else "")
        yield from _wrapped(f"{_mark(entries[0])} ", f"{what}: {reason}" if reason else what)


def _entry(aspect: str, entry: Entry, names: Sequence[str]) -> Iterator[str]:
    yield from _wrapped(f"{_mark(entry)} ", f"{aspect}: {entry.title}")
    reason = " ".join(part for part in (entry.reason, entry.rule and f"({entry.rule})") if part)
    if names:
        yield from _value("in", "; ".join(names))
    if entry.before or entry.after:
        yield from _value("before", entry.before or "nothing")
        yield from _value("after", entry.after or "nothing")
    if reason:
        yield from _value("reason", reason)
    if entry.source:
        yield from _value("source", entry.source)


def _mark(entry: Entry) -> str:
    return style(entry.outcome.value, fg=_COLOURS[entry.outcome])


def _value(label: str, text: str) -> Iterator[str]:
    """Yield a labelled text; of a long one (a whole log) the beginning."""
    lines = [
        wrapped
        for line in text.splitlines() or [""]
        for wrapped in _wrapped(f"    {label:<7} ", line)
    ]
    if len(lines) > _MOST_LINES:
        left = len(lines) - _MOST_LINES
        lines[_MOST_LINES:] = [" " * 12 + f"({left:,} more lines; the JSON report has all)"]
    yield lines[0]
    for line in lines[1:]:
        yield (" " * 12 + line[12:]).rstrip()


def _wrapped(head: str, text: str) -> list[str]:
    """Return a text as lines that hang after its head; words, such as paths, stay whole."""
    margin = " " * len(unstyle(head))
    width = WIDTH - len(margin)
    lines = textwrap.wrap(
        printable(text), width, break_long_words=False, break_on_hyphens=False
    ) or [""]
    return [(head + lines[0]).rstrip(), *(margin + line for line in lines[1:])]
