"""The formats of GitLab's Code Quality and of reviewdog, against what they say about themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.tools import BROKEN, GROWTH, QUERY, tfgpu, write

# GitLab, "Code Quality report format": what an entry must have, and the words of its severity.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "not": {"pattern": r"^\./"}},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
# reviewdog's diagnostic format: `DiagnosticResult`, with the names of its fields in JSON.
_POSITION = {
    "type": "object",
    "additionalProperties": False,
    "required": ["line"],
    "properties": {
        "line": {"type": "integer", "minimum": 1},
        "column": {"type": "integer", "minimum": 1},
    },
}
RDJSON = {
    "type": "object",
    "additionalProperties": False,
    "required": ["diagnostics"],
    "properties": {
        "source": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"name": {"type": "string"}, "url": {"type": "string"}},
        },
        "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
        "diagnostics": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["message", "location"],
                "properties": {
                    "message": {"type": "string"},
                    "severity": {"enum": ["ERROR", "WARNING", "INFO"]},
                    "code": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["value"],
                        "properties": {"value": {"type": "string"}, "url": {"type": "string"}},
                    },
                    "location": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["path"],
                        "properties": {
                            "path": {"type": "string"},
                            "range": {
                                "type": "object",
                                "additionalProperties": False,
                                "required": ["start"],
                                "properties": {"start": _POSITION, "end": _POSITION},
                            },
                        },
                    },
                },
            },
        },
    },
}
NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
         "source": QUERY},
    ],
    "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
}  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.py", GROWTH)
    write(tmp_path / "b.py", GROWTH + GROWTH)
    write(tmp_path / "broken.py", BROKEN)
    write(tmp_path / "nb.ipynb", json.dumps(NOTEBOOK))


def report(kind: str, *arguments: str) -> Any:
    return json.loads(tfgpu("audit", "--output-format", kind, *arguments).stdout)


def test_gitlab() -> None:
    entries = report("gitlab")
    jsonschema.validate(entries, GITLAB)
    findings = report("json")["findings"]
    assert len(entries) == len(findings) + 1
    # GitLab takes entries with one fingerprint for one.
    assert len({entry["fingerprint"] for entry in entries}) == len(entries)
    assert [entry["location"]["path"] for entry in entries if entry["severity"] == "blocker"] == [
        "broken.py"
    ]


def test_rdjson() -> None:
    document = report("rdjson")
    jsonschema.validate(document, RDJSON)
    findings = report("json")["findings"]
    codes = [item["code"]["value"] for item in document["diagnostics"] if "code" in item]
    assert codes == [f"{finding['code']} {finding['name']}" for finding in findings]
    (notebook,) = (
        item for item in document["diagnostics"] if item["location"]["path"] == "nb.ipynb"
    )
    assert "range" not in notebook["location"]
    assert notebook["message"].startswith("cell 1:")


def test_columns_of_rdjson_are_bytes(tmp_path: Path) -> None:
    write(tmp_path / "wide.py", GROWTH.replace("    config.gpu", "    é = 1; config.gpu"))
    (growth,) = (
        item
        for item in report("rdjson", "wide.py")["diagnostics"]
        if item["code"]["value"].startswith("TFG101")
    )
    line = b"    \xc3\xa9 = 1; config.gpu_options.allow_growth = True"
    assert growth["location"]["range"] == {
        "start": {"line": 5, "column": line.index(b"config") + 1},
        "end": {"line": 5, "column": line.index(b" = True") + 1},
    }
