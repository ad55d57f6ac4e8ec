"""Where the operations ran: those that moved on top, then the rest, folded away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from typing import TypeVar

from tfgpu.dataclass import dataclass
from tfgpu.report.page.entries import entries_table, outcome_mark
from tfgpu.report.page.markup import Markup, absent, code, details, el, join, row, table
from tfgpu.report.summary import count
from tfgpu.report.verdict_words import short_device
from tfgpu.verify.observation import Operation, Placement
from tfgpu.verify.verdict import Aspect, Entry, Outcome, Verdict

MOST_MOVED = 500
MOST_REST = 2000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pair:
    """One operation in both legs; None where a leg does not have it."""

    before: Operation | None
    after: Operation | None

    @property
    def same(self) -> bool:
        """Whether it ran on the same device in both."""
        return (
            self.before is not None
            and self.after is not None
            and short_device(self.before.device) == short_device(self.after.device)
        )

    @property
    def name(self) -> str:
        """The operation's name."""
        found = self.before or self.after
        assert found
        return found.name

    def values(self, field: str) -> list[str]:
        """Return what both legs say of a field, once if they say the same."""
        found = [getattr(each, field) for each in (self.before, self.after) if each]
        return [value for value in dict.fromkeys(found) if value]


@dataclass(frozen=True, slots=True)
class Graph:
    """The operations of one graph in both legs."""

    title: str
    pairs: Sequence[Pair]


def paired(before: Sequence[Placement], after: Sequence[Placement]) -> list[Graph]:
    """Pair the graphs of two legs by title, those that are left in order; then the operations."""
    by_title = {key: placement for placement, key in _numbered(after, "title")}
    left: list[Placement] = []
    couples: list[tuple[Placement | None, Placement | None]] = []
    for placement, key in _numbered(before, "title"):
        if key in by_title:
            couples.append((placement, by_title.pop(key)))
        else:
            left.append(placement)
    couples += zip_longest(left, by_title.values())
    return [_graph(one, other) for one, other in couples]


def _graph(before: Placement | None, after: Placement | None) -> Graph:
    found = before or after
    assert found
    theirs = {
        key: operation for operation, key in _numbered(after.operations if after else (), "name")
    }
    pairs = [
        Pair(operation, theirs.pop(key, None))
        for operation, key in _numbered(before.operations if before else (), "name")
    ]
    pairs += [Pair(None, operation) for operation in theirs.values()]
    return Graph(found.title, pairs)


def _numbered(things: Sequence[T], field: str) -> Iterator[tuple[T, tuple[str, int]]]:
    """Yield things with a key: what they are called, and the how-manieth of that name they are."""
    seen: Counter[str] = Counter()
    for thing in things:
        name = getattr(thing, field)
        yield thing, (name, seen[name])
        seen[name] += 1


def placement_section(verdict: Verdict, aspect: Aspect) -> Markup:
    """Return the tables of all operations, with a field to filter them."""
    graphs = paired(verdict.before.placements, verdict.after.placements)
    moved = [(graph.title, pair) for graph in graphs for pair in graph.pairs if not pair.same]
    judged = {(entry.graph, entry.subject): entry for entry in aspect.entries}
    names = {(graph.title, pair.name) for graph in graphs for pair in graph.pairs}
    others = [
        entry
        for entry in aspect.entries
        if (entry.graph, entry.subject) not in names and entry.outcome is not Outcome.MATCH
    ]
    parts = [entries_table("Placement", "operation", others)] if others else []
    if not any(graph.pairs for graph in graphs):
        return join([*parts, el("p", "No operations were seen.")])
    return join([*parts, _filter(), _moved(moved, judged, aspect), *_rest(graphs)])


def _filter() -> Markup:
    # Without JavaScript it would do nothing, so the script is what shows it.
    return el(
        "p",
        el("label", "Filter operations ", for_="filter"),
        el("input", id="filter", type="search", placeholder="name, type or device"),
        " ",
        el("output", id="found", for_="filter"),
        class_="filter",
        hidden="",
    )


def _moved(
    moved: Sequence[tuple[str, Pair]], judged: dict[tuple[str, str], Entry], aspect: Aspect
) -> Markup:
    heading = el("h3", "Different devices")
    if not moved:
        return join([heading, el("p", "None: every operation ran on the same device.")])
    columns = ("operation", "type", "before", "after", "requested", "source", "outcome")
    rows = (
        _moved_row(pair, judged.get((graph, pair.name)), aspect)
        for graph, pair in moved[:MOST_MOVED]
    )
    made = table(columns, rows, "Operations that ran on different devices", "ops moved")
    return join([heading, made, _left_out(len(moved) - MOST_MOVED)])


def _moved_row(pair: Pair, entry: Entry | None, aspect: Aspect) -> Markup:
    if entry:
        outcome = join([outcome_mark(entry.outcome), el("span", entry.reason, class_="why")])
    else:
        differs = aspect.outcome is Outcome.MISMATCH
        outcome = Markup("differs" if differs else "not compared")
    name, kind, asked, source = _words(pair)
    devices = _device(pair.before), _device(pair.after)
    class_ = entry.outcome.value if entry else None
    return row(name, kind, *devices, asked, source, outcome, class_=class_)


def _words(pair: Pair) -> tuple[Markup, Markup, Markup, Markup]:
    """Return an operation's name, its type, the device that was asked for, its place."""
    places = join((code(place) for place in pair.values("source")), " → ")
    return code(pair.name), join(pair.values("kind"), " → "), _requested(pair), places


def _device(operation: Operation | None) -> Markup:
    if operation is None:
        return absent("not there")
    return code(short_device(operation.device)) or absent("not placed")


def _requested(pair: Pair) -> Markup:
    asked = [short_device(each.requested) for each in (pair.before, pair.after) if each]
    anywhere = absent("any")
    return join((code(device) or anywhere for device in dict.fromkeys(asked)), " → ")


def _rest(graphs: Sequence[Graph]) -> Iterator[Markup]:
    room = MOST_REST
    for graph in graphs:
        same = [pair for pair in graph.pairs if pair.same]
        if not same:
            continue
        shown = list(islice(same, room))
        room -= len(shown)
        columns = ("operation", "type", "device", "requested", "source")
        title = f"{graph.title}: {count(len(same), 'operation')} on the same device"
        yield details(
            title,
            table(columns, map(_same_row, shown), title, "ops same") if shown else "",
            _left_out(len(same) - len(shown)),
            class_="rest",
        )


def _same_row(pair: Pair) -> Markup:
    name, kind, asked, source = _words(pair)
    return row(name, kind, _device(pair.before), asked, source)


def _left_out(number: int) -> Markup:
    if number <= 0:
        return Markup("")
    more = f"{count(number, 'more operation')} left out here; the JSON report has all."
    return el("p", more, class_="left-out")
