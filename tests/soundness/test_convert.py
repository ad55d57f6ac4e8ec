"""Programs that must be converted: staying away from everything is no way to be sound.

A program says what is expected of it: `safe` (safe fixes convert all its configs), or `unsafe`
(`--unsafe-fixes` converts them and says what that rests on), but for the configs in its `kept`.
"""

from __future__ import annotations

import re

import pytest

from tests.differential.runner import SAME, Report, Runner
from tests.soundness.programs import Case, cases

CASES = [case for case in cases() if case.expect]
SAFE = [case for case in CASES if case.expect == "safe"]
UNSAFE = [case for case in CASES if case.expect == "unsafe"]


def not_converted(case: Case, report: Report) -> list[str]:
    """Return the configs that are kept and should not be."""
    kept = [f"{config.path}:{config.line}" for config in report.kept]
    return [f"{case.name}: {place} is kept" for place in kept if place not in case.kept]


def test_expectations_are_known() -> None:
    assert {case.expect for case in CASES} == {"safe", "unsafe"}


@pytest.mark.parametrize("case", SAFE, ids=[case.name for case in SAFE])
def test_safe_fixes_convert(case: Case, runner: Runner) -> None:
    report = runner.compare(case.program)
    assert not not_converted(case, report), f"{case.shows}\n{report}"
    assert report.outcome == SAME, f"{case.name}: {case.shows}\n{report}"


@pytest.mark.parametrize("case", UNSAFE, ids=[case.name for case in UNSAFE])
def test_unsafe_fixes_convert_and_say_what_they_rest_on(case: Case, runner: Runner) -> None:
    careful = runner.compare(case.program)
    assert not careful.converted, f"{case.name} is converted without being asked to\n{careful}"
    report = runner.compare(case.program, "--unsafe-fixes")
    assert report.diff(), f"{case.name} is not changed: {case.shows}\n{report.messages}"
    assert not not_left(report), f"{case.name}: {case.shows}\n{report}"
    assert report.outcome == SAME, f"{case.name}: {case.shows}\n{report}"
    assert re.search("assum", report.messages, re.I), f"{case.name}:\n{report.messages}"


def not_left(report: Report) -> list[str]:
    """Return the files that still build a config."""
    return [path for path, text in report.migrated.items() if re.search(r"ConfigProto\(", text)]
