"""A finding is known again where lines moved, and only then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tfgpu.report.fingerprint import fingerprints
from tfgpu.results import Finding

ONE = Finding(
    "TFG101", "allow-growth", 3, 5, "a message", "a way out", "safe", snippet="  a.growth = True"
)


def known_by(*findings: Finding) -> list[str]:
    return fingerprints(list(findings))


@pytest.mark.parametrize(
    "change",
    [
        {"line": 40, "end_line": 41},
        {"cell": 2},
        {"column": 9, "snippet": "\t a.growth  =   True "},
        {"message": "another", "todo": "another", "fix": "none", "severity": "error"},
    ],
)
def test_what_does_not_count(change: dict[str, object]) -> None:
    assert known_by(ONE) == known_by(replace(ONE, **change))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "change", [{"code": "TFG102"}, {"snippet": "a.growth = False"}, {"snippet": "agrowth = True"}]
)
def test_what_counts(change: dict[str, object]) -> None:
    assert known_by(ONE) != known_by(replace(ONE, **change))  # type: ignore[arg-type]


def test_the_same_line_twice_is_two_findings_in_the_order_of_the_file() -> None:
    first, second = replace(ONE, line=3), replace(ONE, line=30)
    one, two = known_by(first, second)
    assert one != two
    assert known_by(second, first) == [two, one]
    assert known_by(replace(first, line=9), replace(second, line=33)) == [one, two]
    other = replace(ONE, line=10, snippet="another line")
    assert known_by(first, other, second) == [one, known_by(other)[0], two]


def test_one_more_of_the_kind_leaves_the_others_known() -> None:
    twice = known_by(ONE, replace(ONE, line=30))
    assert known_by(ONE, replace(ONE, line=30), replace(ONE, line=50))[:2] == twice


def test_any_text_has_one() -> None:
    assert len(known_by(replace(ONE, snippet="\udcff\0\n☃"))[0]) == 16
