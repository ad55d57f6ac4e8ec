"""Markdown for a pull request: readable, short enough, and never what a text says it is."""

from __future__ import annotations

import re
from html import unescape

import pytest

from tests.report.audits import FINDING, HOSTILE, failed, finding, hostile, result, written
from tfgpu.report.markdown import LIMIT
from tfgpu.results import SETTING, ConfigResult


def test_totals_rules_failures_and_files() -> None:
    other = finding(code="TFG521", name="graph-options-v1-only", fix="none", message="no", line=9)
    results = [
        result(findings=[FINDING, other, FINDING], configs=[ConfigResult(1, None)]),
        result("n.ipynb", findings=[finding(cell=3)]),
        result("clean.py"),
        failed(),
    ]
    lines = written("markdown", results).splitlines()
    assert lines[0] == "## tfgpu audit: 4 findings in 2 files"
    assert "- 75.0 % of 4 files read without failure, 3 with names of GPU settings" in lines
    assert "- configs that convert: 100 % of 1" in lines
    table = lines.index("| rule | findings | what becomes of it |")
    assert lines[table + 1] == "| --- | --- | --- |"
    assert lines[table + 2].startswith("| TFG101 allow-growth | 3 | allow&#95;growth becomes ")
    assert lines[table + 3].startswith("| TFG521 graph-options-v1-only | 1 | ")
    assert "### 1 file failed" in lines
    assert "| <code>bad.py</code> | 2 | not valid Python 3: no |" in lines
    first = lines.index("<details><summary><code>a.py</code>: 3 findings</summary>")
    # GitHub renders a table inside of details only behind an empty line.
    assert lines[first + 1 : first + 4] == [
        "", "| line | rule | fix | finding |", "| --- | --- | --- | --- |",
    ]  # fmt: skip
    assert lines[first + 4] == (
        "| 5 | TFG101 allow-growth | safe | allow&#95;growth becomes set&#95;memory&#95;growth"
        "<br>run tfgpu migrate |"
    )
    assert "| 9 | TFG521 graph-options-v1-only | by hand | no<br>run tfgpu migrate |" in lines
    assert any(line.startswith("| cell 3, 5 | ") for line in lines)
    assert "clean.py" not in "".join(lines)


def test_what_asks_for_no_hand_has_no_mark() -> None:
    told = [
        finding(fix="none", severity="note", line=1),
        finding(fix="none", part=SETTING, line=2),
        finding(fix="none", line=3),
    ]
    lines = written("markdown", [result(findings=told)]).splitlines()
    marks = [line.split(" | ")[2] for line in lines if line.startswith(("| 1 |", "| 2 |", "| 3 |"))]
    assert marks == ["", "", "by hand"]


def test_nothing_found() -> None:
    text = written("markdown", [result()])
    assert text.startswith("## tfgpu audit: 0 findings\n")
    assert "|" not in text


def test_a_failure_in_a_cell() -> None:
    broken = failed("n.ipynb", line=0)
    broken.cell = 4
    assert "| <code>n.ipynb</code> | cell 4 | " in written("markdown", [broken])


def test_statistics_are_folded_away() -> None:
    text = written("markdown", [result(findings=[FINDING])], statistics=True)
    assert "<details><summary>Statistics</summary>\n\n```text\n     1 TFG101" in text


def test_a_finding_of_a_rule_that_the_book_does_not_have() -> None:
    text = written("markdown", [result(findings=[finding(code="XYZ1", name="own")])])
    assert "| XYZ1 own | 1 |  |" in text


def test_it_is_cut_where_github_would_refuse_it() -> None:
    large = result("large.py", findings=[FINDING] * 2000)
    many = [result(f"{number:04}.py", findings=[FINDING] * 5) for number in range(400)]
    text = written("markdown", [*many[:10], large, *many[10:]])
    assert LIMIT - 2000 < len(text) <= LIMIT
    kept = set(re.findall(r"<summary><code>([^<]+)</code>", text))
    assert "0000.py" in kept
    assert "large.py" not in kept  # those behind it are small enough
    assert "0010.py" in kept
    left = 401 - len(kept)
    findings = 2000 + 5 * (400 - len(kept))
    assert f"**Left out: {left} files with {findings:,} findings**" in text


def test_many_failures_are_counted() -> None:
    text = written("markdown", [failed(f"{number:03}.py") for number in range(120)])
    assert "### 120 files failed" in text
    assert text.count("</code> | 2 |") == 50
    assert "\nand 70 more\n" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_text_is_shown_and_nothing_else(text: str) -> None:
    made = written("markdown", hostile(text))
    tags = set(re.findall(r"<[^>]+>", made))
    assert tags <= {
        "<details>", "</details>", "<summary>", "</summary>", "<code>", "</code>", "<br>",
        "<!-- -->",
    }  # fmt: skip
    rows = [line for line in made.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} <= {4, 5}
    # Nobody is called, no issue is linked, nothing is a link or code.
    assert not re.search(r"@\w|#\d(?!\d*;)|&#35;\w|`(?!tfgpu|$)|\]\(", made.replace("```", ""))
    shown = unescape(re.sub(r"<[^>]+>", "", made))
    assert {char for char in text if char.isprintable()} <= set(shown)
