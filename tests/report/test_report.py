"""Results as text and as JSON, apart from the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click import unstyle

from tests.tools import book
from tfgpu.files.pyfile import Source
from tfgpu.report.fingerprint import fingerprints
from tfgpu.report.json import document
from tfgpu.report.rules import rule_page, rule_table
from tfgpu.report.summary import Summary
from tfgpu.report.text import diff, failure_line, finding_lines, shown_diff, summary_lines
from tfgpu.results import ConfigResult, Finding, Result
from tfgpu.rulebook.model import SettingRule

FINDING = Finding("TFG101", "allow-growth", 3, 5, "a message", "a way out", "safe")


def result(**values: object) -> Result:
    made = Result("a.py")
    for name, value in values.items():
        setattr(made, name, value)
    return made


class TestSummary:
    def test_counts(self) -> None:
        summary = Summary()
        summary.add(result())
        summary.add(result(parsed=True, findings=[FINDING] * 3, configs=[ConfigResult(1, None)]))
        summary.add(result(parsed=True, configs=[ConfigResult(1, "TFG925"), ConfigResult(2, None)]))
        summary.add(result(parsed=True, configs=[ConfigResult(1, "TFG925")]))
        summary.add(result(parsed=True, configs=[ConfigResult(1, "TFG911")]))
        summary.add(result(reason="no", old=b"x = = 1"))
        summary.add(result(reason="No such file or directory"))
        assert summary.as_dict() == {
            "files_read": 6,
            "files_parsed": 4,
            "files_failed": 2,
            "findings": 3,
            "notes": 0,
            "configs_found": 5,
            "configs_convertible": 2,
            "configs_kept": 3,
            "kept_by_reason": {"TFG925": 2, "TFG911": 1},
            "kept_programs": [],
            "causes": [],
        }
        lines = list(summary_lines(summary, book()))
        assert lines[0].startswith("Scanned 6 files, 2 failed: ")
        assert lines[1:] == ["2 of 5 configs convert"]

    def test_configs_of_a_file_that_failed_do_not_convert(self) -> None:
        summary = Summary()
        summary.add(result(parsed=True, configs=[ConfigResult(1, None)], reason="no", old=b"x"))
        summary.add(result(parsed=True, configs=[ConfigResult(1, None)]))
        assert list(summary_lines(summary, book()))[1:] == ["1 of 2 configs convert"]

    def test_configs_of_a_file_that_only_could_not_be_written_convert(self) -> None:
        summary = Summary()
        failed = result(parsed=True, configs=[ConfigResult(1, None)], reason="read-only", old=b"x")
        failed.unwritten = True
        summary.add(failed)
        assert summary.files_failed == 1
        assert list(summary_lines(summary, book()))[1:] == ["1 of 1 config converts"]

    @pytest.mark.parametrize(
        ("failed", "found", "code"), [(0, False, 0), (0, True, 1), (1, False, 2), (1, True, 3)]
    )
    def test_exit_code(self, failed: int, found: bool, code: int) -> None:
        assert Summary(files_failed=failed).exit_code(found) == code


class TestLines:
    @pytest.mark.parametrize(
        ("fix", "label"), [("safe", ""), ("unsafe", " [unsafe fix]"), ("none", " [by hand]")]
    )
    def test_a_finding_is_the_place_and_the_way_out(self, fix: str, label: str) -> None:
        finding = Finding("TFG101", "allow-growth", 3, 5, "a message", "a way out", fix)
        assert [unstyle(line) for line in finding_lines("a.py", finding)] == [
            f"a.py:3:5: TFG101 allow-growth{label}: a message",
            "    a way out",
        ]

    def test_the_colour_tells_the_kind_of_fix(self) -> None:
        colours = set()
        for fix in ("safe", "unsafe", "none"):
            finding = Finding("TFG101", "allow-growth", 3, 5, "a message", "a way out", fix)
            colours.add(next(finding_lines("a.py", finding)).partition("TFG101")[0])
        assert len(colours) == 3

    def test_a_failure_with_and_without_a_line(self) -> None:
        assert unstyle(failure_line(result(reason="no", line=7))) == "error: a.py:7: no"
        assert unstyle(failure_line(result(reason="no"))) == "error: a.py: no"


class TestDiff:
    def test_people_see_characters_where_programs_get_the_bytes_of_the_file(self) -> None:
        source = Source("x = 'é'\r\ny\r\n", "latin-1", False)
        changed = result(source=source, old=source.encode(source.text), new_text="x = 'é'\r\n")
        lines = ["--- a/a.py", "+++ b/a.py", "@@ -1,2 +1 @@", " x = 'é'\r", "-y\r"]
        assert [unstyle(line) for line in shown_diff(changed)] == lines
        assert [line.decode("latin-1") for line in diff(changed)] == [f"{line}\n" for line in lines]

    def test_lines_of_a_kind_have_a_colour(self) -> None:
        changed = result(source=Source("a\nb\n", "utf-8", False), old=b"a\nb\n", new_text="a\nc\n")
        colours = [line.partition("m")[0] for line in shown_diff(changed)]
        assert colours[0] == colours[1]
        assert len(set(colours)) == 5


class TestJson:
    def test_only_what_was_parsed_or_failed_is_listed(self) -> None:
        results = [result(), result(parsed=True, changes=True), result(reason="no", line=2)]
        parsed = json.loads(document(results, Summary()))
        assert parsed["files"] == [
            {"path": "a.py", "changes": True, "configs": []},
            {
                "path": "a.py",
                "changes": False,
                "configs": [],
                "error": {"reason": "no", "line": 2, "cell": 0},
            },
        ]

    def test_a_finding_with_its_path(self) -> None:
        parsed = json.loads(document(iter([result(parsed=True, findings=[FINDING])]), Summary()))
        assert parsed["findings"] == [
            {
                "path": "a.py", "code": "TFG101", "name": "allow-growth", "line": 3, "column": 5,
                "message": "a message", "todo": "a way out", "fix": "safe",
                "severity": "warning", "end_line": 0, "end_column": 0, "cell": 0, "snippet": "",
                "config": "", "part": "", "caused_by": "", "names": [],
                "fingerprint": fingerprints([FINDING])[0],
            }
        ]  # fmt: skip


class TestRules:
    def test_the_table_has_a_row_for_each_rule_with_a_link(self) -> None:
        head, line, *rows = rule_table(book(), "docs/").splitlines()
        assert head.count("|") == line.count("|") == 4
        assert len(rows) == len(book().rules)
        for row, rule in zip(rows, book().rules, strict=True):
            assert row.startswith(f"| [{rule.code} {rule.name}](docs/{rule.code}.md) | ")
            assert row.count("|") - row.count("\\|") == 4

    def test_a_page_says_what_becomes_of_each_value(self) -> None:
        for rule in book().rules:
            if isinstance(rule, SettingRule):
                page = rule_page(rule)
                table = page.partition("|---|---|\n")[2].partition("\n\n")[0]
                assert len(table.splitlines()) == len(rule.cases)
                for case in rule.cases:
                    for text in (case.drop, case.keep, case.unsafe):
                        assert text is None or text in table

    def test_a_page_ends_with_one_line_break(self, tmp_path: Path) -> None:
        for rule in book().rules:
            page = rule_page(rule)
            assert page.endswith("\n")
            assert not page.endswith("\n\n")
