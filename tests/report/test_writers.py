"""Results as text, as single lines, as JSON and as lines of JSON."""

from __future__ import annotations

import json

import pytest
from click import unstyle

from tests.report.audits import FINDING, HOSTILE, failed, finding, hostile, result, written
from tfgpu.report.fingerprint import fingerprints
from tfgpu.report.writer import FORMATS
from tfgpu.results import ConfigResult

KEPT = [ConfigResult(1, None), ConfigResult(9, "TFG521", final=True)]


class TestText:
    def test_files_with_a_heading_and_a_line_between_them(self) -> None:
        results = [result("a.py", findings=[FINDING], configs=KEPT), result("b.py")]
        results.append(result("c.py", findings=[finding(snippet="", cell=3), FINDING]))
        assert unstyle(written("text", results, verbose=True)).splitlines() == [
            "a.py: 1 finding; 2 configs, 1 convertible",
            "a.py:5:5: TFG101 allow-growth: allow_growth becomes set_memory_growth",
            "    5 |     a.allow_growth = True",
            "      |     ^^^^^^^^^^^^^^^^^",
            "    run tfgpu migrate",
            "",
            "c.py: 2 findings",
            "c.py:cell 3:5:5: TFG101 allow-growth: allow_growth becomes set_memory_growth",
            "    run tfgpu migrate",
            "c.py:5:5: TFG101 allow-growth: allow_growth becomes set_memory_growth",
            "    5 |     a.allow_growth = True",
            "      |     ^^^^^^^^^^^^^^^^^",
            "    run tfgpu migrate",
        ]

    def test_the_mark_has_the_colour_of_the_fix(self) -> None:
        marks = set()
        for fix in ("safe", "unsafe", "none"):
            text = written("text", [result(findings=[finding(fix=fix)])])
            line = next(line for line in text.splitlines() if "^^^" in line)
            marks.add(line.partition("    ^")[0].rpartition("\x1b")[2])
        assert len(marks) == 3

    def test_statistics_come_last(self) -> None:
        results = [result(findings=[FINDING])]
        text = unstyle(written("text", results, statistics=True))
        assert text.startswith(unstyle(written("text", results)))
        assert "     1 TFG101 allow-growth\n" in text

    @pytest.mark.parametrize("text", HOSTILE)
    def test_every_line_prints(self, text: str) -> None:
        lines = unstyle(written("text", hostile(text))).split("\n")
        assert all(line.isprintable() for line in lines)


class TestConcise:
    def test_one_line_for_each_finding(self) -> None:
        results = [result(findings=[FINDING, finding(cell=2, snippet="")]), failed()]
        assert written("concise", results).splitlines() == [
            "a.py:5:5: TFG101 allow-growth allow_growth becomes set_memory_growth",
            "a.py:cell 2:5:5: TFG101 allow-growth allow_growth becomes set_memory_growth",
        ]

    @pytest.mark.parametrize("text", HOSTILE)
    def test_never_more_than_a_line(self, text: str) -> None:
        lines = written("concise", hostile(text)).split("\n")
        assert len(lines) == 3 + 1
        assert all(line.isprintable() for line in lines)

    def test_statistics_come_last(self) -> None:
        lines = written("concise", [result(findings=[FINDING])], statistics=True).splitlines()
        assert lines[1] == "     1 TFG101 allow-growth"


class TestJson:
    def test_the_parts_of_the_document(self) -> None:
        parsed = json.loads(written("json", [result(findings=[FINDING], configs=KEPT), failed()]))
        assert list(parsed) == ["version", "files", "findings", "summary"]
        assert parsed["version"] == 1
        assert parsed["files"][0]["configs"] == [
            {"line": 1, "cell": 0, "kept_by": None, "none_by": None},
            {"line": 9, "cell": 0, "kept_by": "TFG521", "none_by": None},
        ]
        assert parsed["files"][1]["error"] == {
            "reason": "not valid Python 3: no", "line": 2, "cell": 0,
        }  # fmt: skip
        assert parsed["findings"][0]["fingerprint"] == fingerprints([FINDING])[0]

    def test_statistics_where_they_are_asked_for(self) -> None:
        parsed = json.loads(written("json", [result(findings=[FINDING])], statistics=True))
        assert parsed["statistics"]["findings_by_rule"] == {"TFG101": 1}

    @pytest.mark.parametrize("text", HOSTILE)
    def test_any_text_comes_back(self, text: str) -> None:
        parsed = json.loads(written("json", hostile(text)))
        assert parsed["findings"][0]["path"] == f"{text}.py"
        assert parsed["findings"][0]["message"] == text


class TestJsonLines:
    def test_a_record_on_each_line_and_the_summary_at_the_end(self) -> None:
        results = [result(findings=[FINDING]), failed(), result("c.py", findings=[FINDING] * 2)]
        lines = written("jsonl", results, statistics=True).splitlines()
        records = [json.loads(line) for line in lines]
        assert [record["kind"] for record in records] == [
            "finding", "failure", "finding", "finding", "summary",
        ]  # fmt: skip
        assert records[1] == {
            "kind": "failure", "path": "bad.py", "cell": 0, "line": 2,
            "reason": "not valid Python 3: no",
        }  # fmt: skip
        assert records[-1]["version"] == 1
        assert records[-1]["files_failed"] == 1
        assert records[-1]["statistics"]["findings_by_rule"] == {"TFG101": 3}

    def test_a_finding_has_the_keys_that_it_has_in_the_document(self) -> None:
        results = [result(findings=[FINDING])]
        line = json.loads(written("jsonl", results).splitlines()[0])
        del line["kind"]
        assert line == json.loads(written("json", results))["findings"][0]

    @pytest.mark.parametrize("text", HOSTILE)
    def test_a_record_is_one_line(self, text: str) -> None:
        lines = written("jsonl", hostile(text)).splitlines()
        assert len(lines) == 5
        assert json.loads(lines[0])["message"] == text


@pytest.mark.parametrize("kind", FORMATS)
class TestEveryFormat:
    def test_nothing_at_all(self, kind: str) -> None:
        text = written(kind, [], statistics=True)
        assert not text or text.endswith("\n")

    def test_the_same_results_give_the_same_text(self, kind: str) -> None:
        results = [result(findings=[FINDING] * 2, configs=KEPT), failed()]
        assert written(kind, results) == written(kind, results)

    @pytest.mark.parametrize("text", HOSTILE)
    def test_no_control_character_comes_through(self, kind: str, text: str) -> None:
        made = unstyle(written(kind, hostile(text), statistics=True))
        allowed = "\n\r\t" if kind in ("html",) else "\n"
        assert all(char.isprintable() or char in allowed for char in made)
