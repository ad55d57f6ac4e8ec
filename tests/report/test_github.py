"""Annotations: workflow commands as GitHub reads them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.report.audits import (
    FINDING,
    HOSTILE,
    failed,
    finding,
    hostile,
    in_repository,
    result,
    written,
)


def read(line: str) -> tuple[str, dict[str, str], str]:
    """Read a workflow command as the runner of GitHub Actions does."""
    found = re.fullmatch(r"::(\w+) (.*?)::(.*)", line)
    assert found is not None, line
    properties = dict(item.split("=", 1) for item in found[2].split(","))
    named = {
        key: value.replace("%3A", ":").replace("%2C", ",").replace("%0D", "\r")
        .replace("%0A", "\n").replace("%25", "%")
        for key, value in properties.items()
    }  # fmt: skip
    message = found[3].replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
    return found[1], named, message


def test_an_annotation_for_each_finding_and_each_failure() -> None:
    note = finding(severity="note", end_line=7)
    lines = written("github", [result(findings=[FINDING, note]), failed()]).splitlines()
    assert [read(line) for line in lines] == [
        (
            "warning",
            {
                "file": "a.py", "line": "5", "endLine": "5", "col": "5", "endColumn": "22",
                "title": "TFG101 allow-growth",
            },
            "allow_growth becomes set_memory_growth\nrun tfgpu migrate",
        ),
        # Columns only mean something where the annotation is on one line.
        (
            "notice",
            {"file": "a.py", "line": "5", "endLine": "7", "title": "TFG101 allow-growth"},
            "allow_growth becomes set_memory_growth\nrun tfgpu migrate",
        ),
        (
            "error",
            {"file": "bad.py", "line": "2", "title": "tfgpu: the file failed"},
            "not valid Python 3: no",
        ),
    ]  # fmt: skip


def test_lines_of_a_cell_are_not_lines_of_the_file() -> None:
    broken = failed("n.ipynb")
    broken.cell = 4
    lines = written("github", [result("n.ipynb", findings=[finding(cell=3)]), broken]).splitlines()
    (_, place, message), (_, other, reason) = map(read, lines)
    assert not {"line", "col"} & {*place, *other}
    assert message.startswith("cell 3:5:5: allow_growth")
    assert reason.startswith("cell 4:2: not valid")


def test_a_failure_of_the_whole_file_has_no_line() -> None:
    (line,) = written("github", [failed(line=0)]).splitlines()
    assert "line" not in read(line)[1]


def test_no_more_than_github_shows_and_the_others_counted() -> None:
    findings = [finding(severity=name) for name in ("error", "warning", "note") for _ in range(30)]
    lines = written("github", [result(findings=findings)]).splitlines()
    kinds = [line[2:].partition(" ")[0] for line in lines]
    assert {kind: kinds.count(kind) for kind in kinds} == {"error": 10, "warning": 10, "notice": 10}
    assert lines[-1].startswith("::notice title=tfgpu::61 more annotations; GitHub shows ten")


def test_paths_are_those_of_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    in_repository(tmp_path)
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    results = [result(name, findings=[FINDING]) for name in ("a.py", "../b.py", "/elsewhere/c.py")]
    lines = written("github", results).splitlines()
    assert [read(line)[1]["file"] for line in lines] == ["sub/a.py", "b.py", "/elsewhere/c.py"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_becomes_a_command(text: str) -> None:
    lines = written("github", hostile(text)).split("\n")
    assert lines.pop() == ""
    assert [read(line)[0] for line in lines] == ["warning"] * 3 + ["error"]
    printed = {char for char in text if char.isprintable()}
    assert printed <= set(read(lines[0])[2])
