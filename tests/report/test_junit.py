"""JUnit XML: well-formed for any text, with tests that are known by name from run to run."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from tests.report.audits import FINDING, HOSTILE, failed, finding, hostile, result, written


def suites(*results: object) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(written("junit", results))  # type: ignore[arg-type]
    assert root.tag == "testsuites"
    return list(root)


def names(*results: object) -> list[str | None]:
    return [case.get("name") for suite in suites(*results) for case in suite]


def test_a_suite_for_each_file_and_a_failed_test_for_each_finding() -> None:
    (suite,) = suites(result(findings=[FINDING]))
    assert suite.attrib == {
        "name": "a.py", "tests": "1", "failures": "1", "errors": "0", "skipped": "0",
    }  # fmt: skip
    (case,) = suite
    assert case.attrib == {
        "classname": "a.py", "file": "a.py", "time": "0",
        "name": "TFG101 allow-growth: a.allow_growth = True",
    }  # fmt: skip
    (failure,) = case
    assert failure.tag == "failure"
    assert failure.attrib == {
        "message": "allow_growth becomes set_memory_growth", "type": "TFG101",
    }  # fmt: skip
    assert failure.text == (
        "a.py:5:5: allow_growth becomes set_memory_growth\nrun tfgpu migrate\n\n"
        "a.allow_growth = True"
    )


def test_a_file_without_findings_passes() -> None:
    (suite,) = suites(result())
    (case,) = suite
    assert (suite.get("tests"), suite.get("failures"), len(case)) == ("1", "0", 0)


def test_files_that_name_no_setting_are_left_out() -> None:
    unparsed = result()
    unparsed.parsed = False
    assert suites(unparsed) == []


def test_a_file_that_failed_is_an_error() -> None:
    (suite,) = suites(failed())
    assert (suite.get("errors"), suite.get("failures")) == ("1", "0")
    (error,) = suite[0]
    assert error.tag == "error"
    assert error.text == "bad.py:2: not valid Python 3: no"


def test_a_test_keeps_its_name_where_lines_move_and_is_not_taken_for_another() -> None:
    moved = replace(FINDING, line=50, end_line=50)
    assert names(result(findings=[FINDING])) == names(result(findings=[moved]))
    first, second = names(result(findings=[FINDING, moved]))
    assert second == f"{first} (2)"
    (short,) = names(result(findings=[finding(snippet="")]))
    assert short == "TFG101 allow-growth"


def test_a_long_line_is_cut() -> None:
    (name,) = names(result(findings=[finding(snippet="x" * 5000)]))
    assert name is not None
    assert len(name) < 150
    assert name.endswith("…")


@pytest.mark.parametrize("text", HOSTILE)
def test_any_text_is_well_formed_and_ascii(text: str) -> None:
    made = written("junit", hostile(text))
    assert made.isascii()
    first, second = suites(*hostile(text))
    assert len(first) == 3
    assert len(second) == 1
    shown = first[0][0].text or ""
    assert {char for char in text if char.isprintable()} <= set(shown)
