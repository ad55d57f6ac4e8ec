"""The tables of a dataset, and the rows of one repository in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields

from tfgpu.report.json import finding_records
from tfgpu.report.summary import Summary
from tfgpu.report.tables import records
from tfgpu.results import INNER, Finding, Result, Row
from tfgpu.rulebook.book import Rulebook

# What every row has: whose it is, and what it was found with.
_WHOSE: dict[str, type] = {"repository": str, "commit": str, "tfgpu": str}
_NUMBERS = ("cell", "line", "column", "end_line", "end_column")
_COUNTS = (
    "files", "files_parsed", "files_failed", "findings", "notes", "configs", "configs_converted",
    "configs_assumable", "configs_kept", "settings", "stops",
)  # fmt: skip


def _columns(item: type) -> dict[str, type]:
    names = [field.name for field in fields(item) if field.name not in INNER]
    found: dict[str, type] = {name: int if name in _NUMBERS else str for name in names}
    return found


# The tables with their columns: one type each, in all rows, and never null. A list is of texts.
TABLES: dict[str, dict[str, type]] = {
    "repositories": {
        **_WHOSE, "options": str, "clean": bool, "state": str, "reason": str,
        **dict.fromkeys(_COUNTS, int), "seconds": float,
    },
    "findings": {**_WHOSE, "path": str, **_columns(Finding), "names": list, "fingerprint": str},
    "settings": {**_WHOSE, "path": str, **_columns(Row)},
    "causes": {**_WHOSE, "cause": str, "code": str, "rule": str, "configs": int},
    "failures": {**_WHOSE, "path": str, "reason": str},
}  # fmt: skip

# Rows of some tables, each a value for every column.
Record = dict[str, object]
Tables = dict[str, list[Record]]

# What a repository can be, in the order in which a migration goes on.
FAILED, BLOCKED, PARTLY, ASSUMED, READY, CURRENT, NONE = STATES = (
    "failed", "blocked", "partly", "assumed", "ready", "current", "none",
)  # fmt: skip


def tables_of(results: Iterable[Result], book: Rulebook) -> Tables:
    """Return the rows of a repository; what every row has is added later."""
    made: Tables = {name: [] for name in TABLES}
    summary = Summary()
    for result in results:
        summary.add(result)
        result.path = _inside(result.path)
        for record in finding_records(result):
            more = {name: _inside(str(record[name])) for name in ("config", "caused_by")}
            made["findings"].append({**record, **more})
        made["settings"] += (dict[str, object](row) for row in records(result))
        if result.reason is not None:
            made["failures"].append({"path": result.path, "reason": result.reason})
    made["causes"] += _causes(summary, book)
    settings = len(made["settings"])
    made["repositories"].append(
        {
            "state": _state(summary, settings),
            "reason": "",
            "files": summary.files_read,
            "files_parsed": summary.files_parsed,
            "files_failed": summary.files_failed,
            "findings": summary.findings,
            "notes": summary.notes,
            "configs": summary.configs_found,
            "configs_converted": summary.configs_convertible,
            "configs_assumable": summary.configs_assumable,
            "configs_kept": summary.configs_kept,
            "settings": settings,
            "stops": summary.stops,
        }
    )
    return made


def failed(reason: str) -> Tables:
    """Return the rows of a repository that could not be audited."""
    made: Tables = {name: [] for name in TABLES}
    counts: dict[str, object] = dict.fromkeys(_COUNTS, 0)
    made["repositories"].append({"state": FAILED, "reason": reason, **counts})
    return made


def with_columns(tables: Tables, more: Mapping[str, object]) -> Tables:
    """Return rows with every column of their tables, in order, and texts that are Unicode."""
    return {
        name: [
            {column: _clean(more[column] if column in more else row[column]) for column in columns}
            for row in tables[name]
        ]
        for name, columns in TABLES.items()
    }


def _inside(path: str) -> str:
    """Return a path or a place below the current folder, which is the repository, from there."""
    return path.removeprefix("./")


def _clean(value: object) -> object:
    """Return a text without halves of characters, which a file name or a notebook can have."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    return [_clean(item) for item in value] if isinstance(value, (list, tuple)) else value


def _state(summary: Summary, settings: int) -> str:
    if not summary.configs_found:
        return CURRENT if settings else NONE
    if not summary.configs_kept:
        return READY
    if summary.configs_kept == summary.configs_assumable:
        return ASSUMED
    return PARTLY if summary.configs_convertible or summary.configs_assumable else BLOCKED


def _causes(summary: Summary, book: Rulebook) -> Iterator[Record]:
    for cause, configs in summary.ordered_causes():
        where, _, code = cause.rpartition(" ")
        rule = book.find(code)
        yield {
            "cause": _inside(where),
            "code": code,
            "rule": "" if rule is None else rule.name,
            "configs": len(configs),
        }
