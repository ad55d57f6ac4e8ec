"""Tells whether a file is a report of an earlier run, which another one may replace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# What a row has, in documents and lines: findings, failures and summaries of an audit or a
# baseline, settings of an inventory, entries for GitLab, events of the simulated driver.
_ROWS = (
    {"path", "code", "name"},
    {"kind", "path", "reason"},
    {"kind", "version", "files_read"},
    {"path", "kind", "setting"},
    {"check_name", "fingerprint", "location"},
    {"op", "pid"},
)

# How reports for people begin: the audit's table, that of a migration, JUnit, pages.
_STARTS = (
    b"## tfgpu audit",
    b"# Migration to tf.config",
    b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="tfgpu">',
    b'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    b'<meta name="generator" content="tfgpu">',
)


def is_earlier_report(path: Path) -> bool:
    """Tell whether tfgpu has written a file, or nobody anything.

    Raises:
        OSError: it cannot be read.
    """
    data = path.read_bytes().strip()
    if not data or data.startswith(_STARTS):
        return True
    for text in (data, data.splitlines()[0]):  # a document, or lines
        try:
            return _is_document(json.loads(text))
        except (ValueError, RecursionError):
            continue
    return False


def _is_document(found: Any) -> bool:
    if isinstance(found, list):
        return all(map(_is_row, found))
    if not isinstance(found, dict):
        return False
    if found.get("version") == 1 and "kind" not in found:
        rows = found.get("findings", found.get("settings"))
        return isinstance(rows, list) and all(map(_is_row, rows))
    return (
        _is_row(found)
        or _is_sarif(found)
        or found.get("source") == {"name": "tfgpu"}
        or str(found.get("predicateType")).startswith("urn:tfgpu:")
    )


def _is_row(row: Any) -> bool:
    return isinstance(row, dict) and any(keys <= row.keys() for keys in _ROWS)


def _is_sarif(found: dict[str, Any]) -> bool:
    try:
        names = [run["tool"]["driver"]["name"] for run in found["runs"]]
    except (KeyError, TypeError):
        return False
    return bool(names) and all(name == "tfgpu" for name in names)
