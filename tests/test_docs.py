"""The examples in `docs/output.md` are what the commands print."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.tools import tfgpu
from tfgpu.report.summary import MINUTES
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


ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=[path.name for path in PAGES])
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        assert "://" in target or (page.parent / target).exists(), target


def test_the_readme_is_short_and_has_the_commands_of_the_gate() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.encode()) <= 8192
    tried, tests = re.findall(r"^python3 -m venv .*$", text, re.MULTILINE)
    assert "migrate --verify" in tried
    assert "pytest" in tests


def test_the_pages_that_the_site_lists_are_there() -> None:
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"(\S+\.md)$", site, re.MULTILINE))
    assert "index.md" in named
    assert [name for name in named if not (ROOT / "docs" / name).is_file()] == []
