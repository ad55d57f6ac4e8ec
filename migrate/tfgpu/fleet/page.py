"""The roll-up of a dataset as one page: repositories by state, causes, and the trend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tfgpu.dataclass import dataclass, field
from tfgpu.fleet.rows import (
    ASSUMED,
    BLOCKED,
    CURRENT,
    FAILED,
    NONE,
    PARTLY,
    READY,
    STATES,
    Record,
    Tables,
)  # fmt: skip
from tfgpu.report.page.bars import bars, share_bar
from tfgpu.report.page.document import headline, page, section
from tfgpu.report.page.markup import Markup, code, el, table, tr
from tfgpu.report.summary import count, share

_WORDS = {
    FAILED: "failed: not audited",
    BLOCKED: "blocked: no config converts",
    PARTLY: "partly: some configs convert, alone or on assumptions",
    ASSUMED: "assumed: every config converts, some on assumptions",
    READY: "ready: every config converts",
    CURRENT: "current: no ConfigProto, but other GPU settings",
    NONE: "none: no GPU setting",
}
_COUNTS = (
    "configs", "configs_converted", "configs_assumable", "configs_kept", "stops", "findings",
)  # fmt: skip
_LABELS = {
    "configs_converted": "convert",
    "configs_assumable": "on assumptions",
    "configs_kept": "kept",
}
# Rows; a browser is slow with many more.
_MOST = 5_000
_MOST_CAUSES = 100


@dataclass(slots=True)
class Rollup:
    """The counts over a dataset.

    `freed` has the configs that each rule keeps, with `keepers`, the repositories that it does so
    in; `used` the repositories that have each setting.
    """

    repositories: list[Record] = field(default_factory=list)
    causes: list[Record] = field(default_factory=list)
    freed: Counter[str] = field(default_factory=Counter)
    keepers: Counter[str] = field(default_factory=Counter)
    used: Counter[str] = field(default_factory=Counter)

    def add(self, tables: Tables) -> None:
        """Count the rows of a repository."""
        self.repositories += tables["repositories"]
        self.causes += tables["causes"]
        for row in tables["causes"]:
            self.freed[_rule(row)] += _number(row, "configs")
        self.keepers.update({_rule(row) for row in tables["causes"]})
        self.used.update({str(row["setting"]) for row in tables["settings"]})

    @property
    def states(self) -> Counter[str]:
        """The repositories by state."""
        return Counter(str(row["state"]) for row in self.repositories)

    def total(self, name: str) -> int:
        """Return the sum of a count."""
        return sum(_number(row, name) for row in self.repositories)


def rollup_page(now: Rollup, earlier: Rollup | None = None) -> str:
    """Return the page, with the trend against an earlier dataset where there is one."""
    now.repositories.sort(key=lambda row: str(row["repository"]))
    return page(
        f"tfgpu fleet: {_repositories(len(now.repositories))}",
        _header(now),
        el("main", *_sections(now, earlier)),
        styles=("page.css", "audit.css"),
        script="audit.js",
        skip_to="repositories",
    )


def _header(now: Rollup) -> Markup:
    states = now.states
    tone, sign, word = "match", "✓", "nothing left to convert"
    if states[FAILED]:
        tone, sign, word = "mismatch", "✗", f"{states[FAILED]:,} failed"
    elif now.total("configs"):
        tone, sign, word = "inconclusive", "!", "configs left"
    part = share(now.total("configs_converted"), now.total("configs"))
    assumed = share(now.total("configs_assumable"), now.total("configs"))
    line = (
        f"{part} of {count(now.total('configs'), 'config')} convert by themselves, "
        f"{assumed} more on assumptions."
    )
    return headline(tone, sign, word, _repositories(len(now.repositories)), line)


def _sections(now: Rollup, earlier: Rollup | None) -> Iterator[Markup]:
    yield section("states", "Repositories by state", *_states(now))
    if earlier is not None:
        yield section("trend", "Since the earlier dataset", *_trend(now, earlier))
    if now.freed:
        yield section("causes", "What keeps configs", *_causes(now))
    if now.used:
        title = "Repositories by setting"
        yield section("settings", title, bars(title, now.used.most_common()))
    if now.states[FAILED]:
        yield section("failed", "Repositories that failed", _failures(now))
    yield section("repositories", "Repositories", *_table(now))


def _states(now: Rollup) -> Iterator[Markup]:
    states = now.states
    if states:
        known = [(_WORDS[state], states[state]) for state in STATES if states[state]]
        yield bars("Repositories by state", known)
    if now.total("configs"):
        yield share_bar(now.total("configs_converted"), now.total("configs"))


def _trend(now: Rollup, earlier: Rollup) -> Iterator[Markup]:
    before, after = earlier.states, now.states
    rows = [(_WORDS[state], before[state], after[state]) for state in STATES]
    rows += [(_LABELS.get(name, name), earlier.total(name), now.total(name)) for name in _COUNTS]
    yield table(
        ("", "earlier", "now", "change"),
        (
            tr(
                name,
                {
                    "earlier": f"{old:,}",
                    "now": f"{new:,}",
                    "change": f"{new - old:+,}" if new != old else "",
                },
            )
            for name, old, new in rows
        ),
        "Since the earlier dataset",
        "entries",
    )
    was = {row["repository"]: str(row["state"]) for row in earlier.repositories}
    moved = [row for row in now.repositories if was.get(row["repository"], "") != row["state"]]
    if not moved:
        yield el("p", "No repository changed its state.")
        return
    yield table(
        ("repository", "earlier", "now"),
        (
            _row(row, {"earlier": was.get(row["repository"], "not there"), "now": row["state"]})
            for row in moved[:_MOST]
        ),
        "Repositories that changed their state",
        "entries",
    )


def _causes(now: Rollup) -> Iterator[Markup]:
    yield table(
        ("rule", "configs that it keeps", "repositories"),
        (
            tr(rule, {"configs": f"{number:,}", "repositories": f"{now.keepers[rule]:,}"})
            for rule, number in now.freed.most_common()
        ),
        "Rules by configs kept",
        "entries",
    )
    ordered = sorted(now.causes, key=lambda row: -_number(row, "configs"))
    yield el("h3", "Single causes, by the configs that each frees")
    yield table(
        ("repository", "place", "rule", "configs"),
        (
            _row(row, {"place": row["cause"], "rule": _rule(row), "configs": row["configs"]})
            for row in ordered[:_MOST_CAUSES]
        ),
        "Causes by configs freed",
        "entries",
    )
    if len(ordered) > _MOST_CAUSES:
        yield _left_out(len(ordered) - _MOST_CAUSES, "causes")


def _failures(now: Rollup) -> Markup:
    rows = (row for row in now.repositories if row["state"] == FAILED)
    made = (_row(row, {"reason": row["reason"]}) for row in rows)
    return table(("repository", "reason"), made, "Repositories that failed", "entries")


def _table(now: Rollup) -> Iterator[Markup]:
    shown = now.repositories[:_MOST]
    yield el(
        "div",
        el("label", "Filter repositories ",
           el("input", id="filter", type="search", placeholder="name, state or commit")),
        " ",
        el("output", "", id="found", for_="filter"),
        class_="filter",
        hidden="",
    )  # fmt: skip
    columns = ("state", "commit", *(_LABELS.get(name, name) for name in _COUNTS), "tfgpu")
    made = (
        _row(
            row,
            {
                "state": row["state"],
                "commit": str(row["commit"])[:12] + ("" if row["clean"] else " and changes"),
                **{_LABELS.get(name, name): f"{_number(row, name):,}" for name in _COUNTS},
                "tfgpu": row["tfgpu"],
            },
        )
        for row in shown
    )
    yield table(("repository", *columns), made, "Repositories", "entries filtered")
    if len(now.repositories) > len(shown):
        yield _left_out(len(now.repositories) - len(shown), "repositories")


def _row(record: Record, cells: dict[str, object]) -> Markup:
    return tr(code(str(record["repository"])), {name: str(value) for name, value in cells.items()})


def _left_out(number: int, what: str) -> Markup:
    return el("p", f"{number:,} more {what} are in the tables.", class_="left-out")


def _repositories(number: int) -> str:
    return f"{number:,} {'repository' if number == 1 else 'repositories'}"


def _rule(row: Record) -> str:
    return f"{row['code']} {row['rule']}".strip()


def _number(row: Record, name: str) -> int:
    value = row[name]
    assert isinstance(value, int)
    return value
