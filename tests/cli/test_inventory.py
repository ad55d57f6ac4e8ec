"""`tfgpu inventory`: the table in its three forms."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.tools import BROKEN, CLEAN, GROWTH, KEPT, tfgpu, write

COLUMNS = [
    "path", "cell", "line", "column", "kind", "setting", "value", "constant", "guard", "sink",
    "rule", "convertible", "reason",
]  # fmt: skip


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def records(kind: str, *paths: str) -> list[dict[str, object]]:
    """Return the rows of a format, all values as they are read from it."""
    text = tfgpu("inventory", "--format", kind, *paths).stdout
    if kind == "csv":
        return [dict(row) for row in csv.DictReader(io.StringIO(text))]
    if kind == "json":
        document = json.loads(text)
        assert document["version"] == 1
        found: list[dict[str, object]] = document["settings"]
        return found
    return [json.loads(line) for line in text.splitlines()]


def test_the_three_forms_say_the_same(tmp_path: Path) -> None:
    write(tmp_path / "a.py", GROWTH)
    write(tmp_path / "b.py", KEPT)
    tables = [records(kind, "a.py", "b.py") for kind in ("csv", "json", "jsonl")]
    as_text = [
        [{key: str(value) for key, value in row.items()} for row in table] for table in tables
    ]
    assert as_text[0] == as_text[1] == as_text[2]
    assert [list(row) for row in tables[0]] == [COLUMNS, COLUMNS]
    assert as_text[0][1] == {
        "path": "b.py", "cell": "0", "line": "6", "column": "5", "kind": "config",
        "setting": "graph_options.timeline_step", "value": "3", "constant": "3", "guard": "",
        "sink": "tf.Session", "rule": "TFG521", "convertible": "no", "reason": "TFG521",
    }  # fmt: skip


def test_every_row_has_the_same_columns_of_the_same_types(tmp_path: Path) -> None:
    write(tmp_path / "a.py", GROWTH)
    write(tmp_path / "b.py", KEPT)
    write(tmp_path / "c.py", "import tensorflow as tf\ntf.config.set_soft_device_placement(x)\n")
    types = {tuple((key, type(value)) for key, value in row.items()) for row in records("jsonl")}
    (row,) = types
    assert {name for name, kind in row if kind is int} == {"cell", "line", "column"}
    assert {name for name, kind in row if kind is str} == set(COLUMNS) - {"cell", "line", "column"}


def test_the_csv_has_a_head_even_without_rows(tmp_path: Path) -> None:
    write(tmp_path / "a.py", CLEAN)
    result = tfgpu("inventory")
    assert result.exit_code == 0
    assert result.stdout == ",".join(COLUMNS) + "\n"
    assert result.stderr == "1 file read; 0 settings\n"


def test_settings_are_no_reason_to_fail_but_files_that_failed_are(tmp_path: Path) -> None:
    write(tmp_path / "a.py", GROWTH)
    assert tfgpu("inventory").exit_code == 0
    write(tmp_path / "b.py", BROKEN)
    result = tfgpu("inventory", "a.py", "b.py")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: b.py:2: not valid Python 3: ")
    assert result.stderr.endswith("2 files read, 1 failed; 1 setting\n")
    assert len(result.stdout.splitlines()) == 2


def test_a_file_and_standard_input(tmp_path: Path) -> None:
    result = tfgpu("inventory", "-", "-o", "out.csv", stdin=GROWTH.encode())
    assert (result.exit_code, result.stdout) == (0, "")
    assert (tmp_path / "out.csv").read_text().splitlines()[1].startswith("<stdin>,0,5,5,config,")


@pytest.mark.parametrize("name", ["a\nb.py", 'a",b.py', "=a.py", "a\x1b[31m.py"])
def test_odd_names_are_one_line(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, GROWTH)
    assert len(tfgpu("inventory").stdout.splitlines()) == 2
    assert [row["path"] for row in records("jsonl", "--", name)] == [name]


@pytest.mark.skipif(sys.platform == "win32", reason="names of POSIX")
def test_no_row_is_a_command_of_a_runner_or_a_formula(tmp_path: Path) -> None:
    write(tmp_path / "::error::a.py", GROWTH)
    write(tmp_path / "=a.py", GROWTH)
    text = tfgpu("inventory", "::error::a.py", "=a.py").stdout
    assert {line.split(",")[0] for line in text.splitlines()[1:]} == {"./::error::a.py", "'=a.py"}
