"""A verdict as one page that needs nothing else: no network, no other file, no JavaScript."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tfgpu.report.page.chart import memory_charts
from tfgpu.report.page.devices import device_maps
from tfgpu.report.page.document import page, section
from tfgpu.report.page.entries import SIGNS, entries_table, outcome_mark
from tfgpu.report.page.markup import Markup, absent, code, details, el, join, table, tr
from tfgpu.report.page.placement import placement_section
from tfgpu.report.page.runs import child_processes, has_children, legs_table, outputs, surroundings
from tfgpu.report.verdict_words import (
    aspect_facts,
    evidence,
    folded,
    has_scenarios,
    notes,
    programs,
    remarks,
    summary,
    troubles,
    where,
)
from tfgpu.verify.verdict import Aspect, Entry, Outcome, Verdict

_SUBJECTS = {"devices": "device", "configuration": "field"}
_MOST_FINDINGS = 20
_MOST_OF_A_CAUSE = 12  # the tables of the aspects stand on the same page
_MOST = 2_000
_OPEN = 80
_KINDS = {"+": "added", "-": "removed", "@": "hunk"}


def verdict_html(verdict: Verdict) -> str:
    """Return the page."""
    title = f"{verdict.outcome.value}: {programs(verdict)}, {where(verdict)}"
    return page(
        title,
        _header(verdict),
        el("main", *_sections(verdict)),
        styles=("page.css",),
        script="page.js",
        skip_to="aspects",
    )


def _header(verdict: Verdict) -> Markup:
    kind = "simulated GPUs" if verdict.simulated else "real GPUs"
    own = verdict.scenarios[0].scenario.machine.description if verdict.scenarios else verdict.gpus
    sign = el("span", SIGNS[verdict.outcome], class_="sign", aria_hidden="true")
    return el(
        "header",
        el("p", sign, el("span", verdict.outcome.value, class_="word"), class_="verdict"),
        el(
            "div",
            el("h1", _programs(verdict)),
            el("p", el("strong", kind, class_="kind"), " ", own, class_="gpus"),
            el("p", summary(verdict), class_="summary"),
            el("ul", *(el("li", one) for one in _rests_on(verdict)), class_="rests-on"),
            *_scenarios(verdict),
            class_="what",
        ),
        class_=verdict.outcome.value,
    )


def _rests_on(verdict: Verdict) -> Iterator[str]:
    """Yield the caveats, the bound and the evidence."""
    yield from verdict.caveats
    if verdict.bound:
        yield verdict.bound
    yield from evidence(verdict)


def _scenarios(verdict: Verdict) -> Iterator[Markup]:
    """Yield a table of the set-ups, where there is more than one."""
    if has_scenarios(verdict):
        rows = (
            tr(
                code(one.scenario.name),
                {
                    "outcome": outcome_mark(one.outcome),
                    "remark": " ".join(remarks(verdict, one)),
                },
                class_=one.outcome.value,
            )
            for one in verdict.scenarios
        )
        yield table(("set-up", "outcome", "remark"), rows, "The set-ups", "set-ups")


def _programs(verdict: Verdict) -> Markup:
    before, after = verdict.before.program, verdict.after.program
    if before == after:
        return join([code(before), " before and after its migration"])
    return join([code(before), " and ", code(after)])


def _sections(verdict: Verdict) -> Iterator[Markup]:
    yield section("aspects", "What was compared", _cards(verdict))
    for outcome, title in (
        (Outcome.MISMATCH, "What differs"),
        (Outcome.INCONCLUSIVE, "What could not be compared"),
    ):
        found = list(_findings(verdict, outcome))
        if found:
            yield section(outcome.value, title, el("ul", *found, class_="findings"))
    if verdict.change:
        yield section("change", "The change", diff(verdict.change))
    yield section("runs", "The two runs", legs_table(verdict), surroundings(verdict))
    for aspect in verdict.aspects:
        yield section(aspect.name, aspect.name.capitalize(), *_aspect(verdict, aspect))
    if has_children(verdict):
        yield section("children", "Child processes", child_processes(verdict))
    yield section("output", "Output", outputs(verdict))
    said = notes(verdict)
    if said:
        yield section("notes", "How this was compared", el("ul", *(el("li", n) for n in said)))


def _cards(verdict: Verdict) -> Markup:
    cards = (
        el(
            "li",
            el(
                "a",
                el("span", aspect.name, class_="name"),
                outcome_mark(aspect.outcome),
                el("span", aspect_facts(verdict, aspect), class_="facts"),
                href=f"#{aspect.name}",
            ),
            class_=aspect.outcome.value,
        )
        for aspect in verdict.aspects
    )
    return el("ul", *cards, class_="cards")


def _findings(verdict: Verdict, outcome: Outcome) -> Iterator[Markup]:
    if outcome is Outcome.INCONCLUSIVE:
        for reason in troubles(verdict):
            yield el("li", reason, class_=outcome.value)
    causes = _by_cause(folded(verdict, outcome))
    for number, found in enumerate(causes.values()):
        if number == _MOST_FINDINGS:
            yield el("li", f"{len(causes) - number:,} more causes", class_=outcome.value)
            return
        yield _cause(found, outcome)


_Found = tuple[str, Entry, Sequence[str]]


def _by_cause(
    found: Mapping[str, Sequence[tuple[Entry, Sequence[str]]]],
) -> dict[str, list[_Found]]:
    """Return entries with their aspects and set-ups, those of one reason together.

    Without a reason, what differs in one aspect has one cause.
    """
    causes: dict[str, list[_Found]] = {}
    for aspect, entries in found.items():
        for entry, names in entries:
            causes.setdefault(entry.reason or aspect, []).append((aspect, entry, names))
    return causes


def _cause(found: Sequence[_Found], outcome: Outcome) -> Markup:
    """Return what differs for one reason: the first in full, the others folded below it."""
    first, rest = _finding(*found[0]), found[1:]
    if not rest:
        return el("li", *first, class_=outcome.value)
    shown = rest[:_MOST_OF_A_CAUSE]
    inner = [el("li", *_finding(*one, told=found[0][1].reason)) for one in shown]
    if len(rest) > len(shown):
        aspects = dict.fromkeys(aspect for aspect, _, _ in rest[len(shown) :])
        links = join((el("a", one, href=f"#{one}") for one in aspects), ", ")
        inner.append(el("li", f"{len(rest) - len(shown):,} more in ", links))
    aspect, entry, _ = found[0]
    title = f"{len(rest):,} more {'with the same cause' if entry.reason else f'in {aspect}'}"
    return el("li", *first, details(title, el("ul", *inner)), class_=outcome.value)


def _finding(aspect: str, entry: Entry, names: Sequence[str], told: str = "") -> list[Markup]:
    """Return an entry; its reason is left out where it was `told`."""
    parts = [
        el(
            "p",
            el("span", aspect, class_="aspect"),
            " ",
            el("strong", code(entry.title)),
            class_="subject",
        )
    ]
    if entry.before or entry.after:
        sides = [
            el("div", el("dt", leg), el("dd", code(value) or absent()))
            for leg, value in (("before", entry.before), ("after", entry.after))
        ]
        parts.append(el("dl", *sides))
    why: list[str] = []
    if entry.reason != told or not told:
        why = [part for part in (entry.reason, entry.rule and f"({entry.rule})") if part]
    if entry.source:
        why += ["at", code(entry.source)]
    if why:
        parts.append(el("p", join(why, " "), class_="why"))
    if names:
        parts.append(el("p", "in ", join(map(code, names), "; "), class_="why"))
    return parts


def _aspect(verdict: Verdict, aspect: Aspect) -> Iterator[Markup]:
    facts = el("span", aspect_facts(verdict, aspect), class_="facts")
    yield el("p", outcome_mark(aspect.outcome), " ", facts)
    if aspect.name == "placement":
        yield placement_section(verdict, aspect)
        return
    if aspect.name == "devices":
        yield device_maps(verdict, aspect)
    if aspect.name == "memory":
        yield memory_charts(verdict)
    if aspect.entries:
        subject = _SUBJECTS.get(aspect.name, "subject")
        yield entries_table(aspect.name.capitalize(), subject, aspect.entries)


def diff(text: str) -> Markup:
    """Return a diff; a long one is shown on demand."""
    lines = text.split("\n")  # other line breaks are within lines of the file
    shown = [_line(line) for line in lines[:_MOST]]
    if len(lines) > _MOST:
        shown.append(Markup(f"({len(lines) - _MOST:,} more lines; the JSON report has all)"))
    block = el("pre", "\n", join(shown, "\n"), class_="diff", tabindex=0)
    return details(f"{len(lines):,} lines of a diff", block, open_=len(lines) <= _OPEN)


def _line(text: str) -> Markup:
    kind = "file" if text.startswith(("--- ", "+++ ")) else _KINDS.get(text[:1])
    return el("span", text, class_=kind) if kind else join([text])
