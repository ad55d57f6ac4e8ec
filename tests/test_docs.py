"""The examples in `docs/output.md` are what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.tools import tfgpu
from tfgpu.report.statistics import MINUTES
from tfgpu.report.tables import COLUMNS
from tfgpu.report.writer import FORMATS

TEXT = (Path(__file__).parents[1] / "docs" / "output.md").read_text(encoding="utf-8")
PROGRAM = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)[0]
EXAMPLES = re.findall(r"```console\n\$ tfgpu (.*?)\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_examples(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, shown: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.py").write_text(PROGRAM)
    # A line of dots stands for any lines.
    parts = re.split(r"^…\n", shown, flags=re.MULTILINE)
    pattern = "(?:.*\n)*".join(map(re.escape, parts))
    printed = tfgpu(*command.split()).stdout
    assert re.fullmatch(pattern, printed), printed


def test_every_format_has_its_section() -> None:
    sections = re.findall(r"^## (\w+)$", TEXT, re.MULTILINE)
    assert set(FORMATS) <= set(sections)
    assert len(EXAMPLES) >= len(FORMATS)


def test_the_minutes_and_the_columns_are_those_of_the_code() -> None:
    for kind, minutes in MINUTES.items():
        assert f"| {kind} | {minutes} |\n" in TEXT
    named = re.findall(r"^\| (`.*?) \|", TEXT.partition("## The inventory")[2], re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", " ".join(named))) == set(COLUMNS)
