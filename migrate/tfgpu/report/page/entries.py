"""What was compared, entry by entry."""

from __future__ import annotations

from collections.abc import Sequence

from tfgpu.report.page.markup import Markup, absent, code, details, el, join, table, tr
from tfgpu.verify.verdict import Entry, Outcome

# Colour alone tells nothing to some readers, nor on paper: a sign and the word go with it.
SIGNS = {
    Outcome.MATCH: "✓",
    Outcome.IGNORED: "○",
    Outcome.INCONCLUSIVE: "?",
    Outcome.MISMATCH: "✗",
}
_GRAVEST_FIRST = tuple(reversed(Outcome))
_OPEN_MATCHES = 12
_MOST = 500


def outcome_mark(outcome: Outcome) -> Markup:
    """Return an outcome as a word in its colour."""
    sign = el("span", SIGNS[outcome], aria_hidden="true")
    return el("span", sign, " ", outcome.value, class_=f"mark {outcome.value}")


def entries_table(name: str, subject: str, entries: Sequence[Entry]) -> Markup:
    """Return all entries of an aspect, the gravest first; many that match are folded away."""
    ordered = sorted(entries, key=lambda entry: _GRAVEST_FIRST.index(entry.outcome))
    matching = [entry for entry in ordered if entry.outcome is Outcome.MATCH]
    if len(matching) <= _OPEN_MATCHES:
        return _table(f"{name}: what was compared", subject, ordered)
    others = ordered[: -len(matching)]
    folded = details(
        f"{len(matching):,} that match",
        _table(f"{name}: what matches", subject, matching),
    )
    if not others:
        return folded
    return join([_table(f"{name}: what does not match", subject, others), folded])


def _table(caption: str, subject: str, entries: Sequence[Entry]) -> Markup:
    shown = entries[:_MOST]
    columns = (subject, "before", "after", "outcome", "reason", "rule", "source")
    # A column in which nothing stands only takes room.
    filled = [
        column
        for column in columns
        if column not in {"reason", "rule", "source"}
        or any(getattr(entry, column) for entry in shown)
    ]
    made = table(filled, (_row(entry, filled) for entry in shown), caption, "entries")
    if len(shown) == len(entries):
        return made
    left = len(entries) - len(shown)
    return join([made, el("p", f"{left:,} more are left out here; the JSON report has all.")])


def _row(entry: Entry, columns: Sequence[str]) -> Markup:
    cells = {
        "before": code(entry.before) or absent(),
        "after": code(entry.after) or absent(),
        "outcome": outcome_mark(entry.outcome),
        "reason": entry.reason,
        "rule": entry.rule,
        "source": code(entry.source),
    }
    shown = {column: cells[column] for column in columns[1:]}
    return tr(code(entry.title), shown, class_=entry.outcome.value)
