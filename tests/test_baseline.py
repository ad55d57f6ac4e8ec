"""A baseline: what was there is known again, whatever moved; what is new counts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cli.tools import write
from tests.tools import book
from tfgpu.baseline import Baseline, BaselineError, read_baseline
from tfgpu.engine import analyse
from tfgpu.options import Options
from tfgpu.results import Finding

QUERY = "has_gpu = tf.test.is_gpu_available()"
NAME = "name = tf.test.gpu_device_name()"
NOISE = ("x = 1", "", "# a comment", "def f(): pass", "'''\ntext\n'''")


def found(*lines: str) -> list[Finding]:
    text = "\n".join(("import tensorflow as tf", *lines, ""))
    return analyse(text, book(), Options()).findings


def baseline(folder: Path, *lines: str) -> Baseline:
    """Return what a baseline with the findings of `a.py` says when it is read again."""
    made = Baseline(folder / "known.json")
    made.take(str(folder / "a.py"), found(*lines))
    path = write(folder / "known.json", made.document())
    return read_baseline(path)


def new(known: Baseline, folder: Path, *lines: str) -> list[str]:
    options = Options()
    return [item.name for item in known.new(str(folder / "a.py"), found(*lines), options)]


def test_what_is_known_is_not_new(tmp_path: Path) -> None:
    known = baseline(tmp_path, QUERY, QUERY, NAME)
    assert new(known, tmp_path, QUERY, QUERY, NAME) == []
    assert known.stale() == []


def test_one_more_of_the_same_line_is_new(tmp_path: Path) -> None:
    assert new(baseline(tmp_path, QUERY), tmp_path, QUERY, NAME, QUERY) == [
        "gpu-device-name",
        "is-gpu-available",
    ]


def test_what_is_gone_is_stale(tmp_path: Path) -> None:
    write(tmp_path / "a.py", "")
    known = baseline(tmp_path, QUERY, QUERY, NAME)
    assert new(known, tmp_path, QUERY) == []
    assert [(entry.path, entry.name) for entry in known.stale()] == [
        ("a.py", "is-gpu-available"),
        ("a.py", "gpu-device-name"),
    ]


def test_what_was_not_looked_for_is_not_stale(tmp_path: Path) -> None:
    write(tmp_path / "a.py", "")
    known = baseline(tmp_path, QUERY, NAME)
    known.new(str(tmp_path / "a.py"), [], Options(select=("is-gpu-available",)))
    assert [entry.name for entry in known.stale()] == ["is-gpu-available"]
    assert baseline(tmp_path, QUERY).stale() == []


def test_entries_of_a_file_that_is_gone_are_stale_and_not_written_again(tmp_path: Path) -> None:
    known = baseline(tmp_path, QUERY)
    assert [entry.path for entry in known.stale()] == ["a.py"]
    write(tmp_path / "b.py", "")
    known.take(str(tmp_path / "b.py"), found(NAME))
    assert [row["path"] for row in json.loads(known.document())["findings"]] == ["b.py"]


def test_paths_are_those_below_the_folder_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sub/a.py", "sub/b/c.py", "d.py"):
        write(tmp_path / name, "")
    monkeypatch.chdir(tmp_path / "sub")
    made = Baseline(Path("known.json"))
    for path in ("a.py", "../sub/b/c.py", str(tmp_path / "d.py")):
        made.take(path, found(QUERY))
    rows = json.loads(made.document())["findings"]
    assert [row["path"] for row in rows] == ["../d.py", "a.py", "b/c.py"]


def test_the_file_is_sorted_and_has_one_entry_on_a_line(tmp_path: Path) -> None:
    made = Baseline(tmp_path / "known.json")
    for name in ("b.py", "a.py", "é.py"):
        write(tmp_path / name, "")
        made.take(str(tmp_path / name), found(NAME, f"  \t{QUERY}  # größe".strip()))
    text = made.document()
    lines = text.splitlines()
    assert (lines[0], lines[-1], text[-1]) == ('{"version": 1, "findings": [', "]}", "\n")
    rows = [json.loads(line.strip().removesuffix(",")) for line in lines[1:-1]]
    assert rows == json.loads(text)["findings"]
    assert [(row["path"], row["code"]) for row in rows] == [
        (path, code) for path in ("a.py", "b.py", "é.py") for code in ("TFG701", "TFG702")
    ]
    assert rows[0]["snippet"] == "has_gpu = tf.test.is_gpu_available() # größe"
    assert "größe" in text


def test_an_empty_one(tmp_path: Path) -> None:
    text = Baseline(tmp_path / "known.json").document()
    assert text == '{"version": 1, "findings": []}\n'
    assert read_baseline(write(tmp_path / "known.json", text)).stale() == []


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "Expecting property name"),
        (b"\xff", "can't decode byte"),
        ("[" * 100_000, "nested too deep"),
        ("[]", "no baseline of version 1"),
        ('{"version": 2, "findings": []}', "no baseline of version 1"),
        ('{"version": 1}', "findings: a list of entries with path, code, name, fingerprint"),
        ('{"version": 1, "findings": [{"path": "a"}]}', "findings: a list of entries"),
        ('{"version": 1, "findings": [1]}', "findings: a list of entries"),
        ('{"version": 1, "findings": [{"path": 1, "code": "", "name": "", "fingerprint": "",'
         ' "snippet": ""}]}', "findings: a list of entries"),
    ],
)  # fmt: skip
def test_what_is_no_baseline(tmp_path: Path, content: str | bytes, told: str) -> None:
    path = write(tmp_path / "known.json", content)
    with pytest.raises(BaselineError) as caught:
        read_baseline(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert told in str(caught.value)


def test_one_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BaselineError, match="no such file; `--write-baseline` makes one"):
        read_baseline(tmp_path / "known.json")


LINES = st.lists(st.sampled_from((QUERY, NAME, *NOISE)), max_size=8)


@settings(max_examples=100, deadline=None)
@given(lines=LINES, data=st.data())
def test_it_survives_moved_lines(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("moved")
    known = baseline(folder, *lines)
    code = [line for line in lines if line not in NOISE]
    moved = data.draw(st.permutations([*code, *data.draw(st.lists(st.sampled_from(NOISE)))]))
    assert new(known, folder, *moved) == []
    assert [entry for entry in known.stale() if entry.path == "a.py"] == []


@settings(max_examples=100, deadline=None)
@given(before=LINES, after=LINES)
def test_as_many_are_new_as_there_are_more(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], after: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("changed")
    write(folder / "a.py", "")
    known = baseline(folder, *before)
    count = len(new(known, folder, *after))
    assert count == sum(max(0, after.count(line) - before.count(line)) for line in (QUERY, NAME))
    gone = sum(max(0, before.count(line) - after.count(line)) for line in (QUERY, NAME))
    assert len(known.stale()) == gone
