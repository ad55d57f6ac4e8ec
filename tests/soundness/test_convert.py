"""Programs that must be converted: staying away from everything is no way to be sound.

A program says what is expected of it, but for the configs in its `kept`:

- `safe`: safe fixes convert all its configs;
- `assumption`: `--unsafe-fixes` converts them, and says what that rests on, with a place;
- `unsafe`: `--unsafe-fixes` converts them, into something that is not quite the same;
- `any`: its sessions get no config any more with `--unsafe-fixes`, whatever becomes of the config.
"""

from __future__ import annotations

import re

import pytest

from tests.differential.runner import SAME, Report, Runner
from tests.soundness.programs import Case, cases

CASES = [case for case in cases() if case.expect]
SAFE = [case for case in CASES if case.expect == "safe"]
ASSUMED = [case for case in CASES if case.expect == "assumption"]
UNSAFE = [case for case in CASES if case.expect == "unsafe"]
ANY = [case for case in CASES if case.expect == "any"]

# What may differ behind an unsafe fix: InteractiveSession prunes graphs before it places them, and
# only a graph that is pruned has nodes for what is fetched.
_NOT_QUITE = re.compile(r"place_pruned_graph|as placed: (?:_retval_\S+ on \S+:\d+,? )+->")
_PLACE = re.compile(r"\b[\w/]+\.py:\d+")


def not_converted(case: Case, report: Report) -> list[str]:
    """Return the configs that are kept and should not be."""
    kept = [f"{config.path}:{config.line}" for config in report.kept]
    return [place for place in kept if place not in case.kept]


def left(report: Report) -> list[str]:
    """Return the files that still build a config."""
    return [path for path, text in report.migrated.items() if "ConfigProto(" in text]


def test_expectations_are_known() -> None:
    assert len(CASES) == sum(map(len, (SAFE, ASSUMED, UNSAFE, ANY)))


@pytest.mark.parametrize("case", SAFE, ids=[case.name for case in SAFE])
def test_safe_fixes_convert(case: Case, runner: Runner) -> None:
    report = runner.compare(case.program)
    assert not report.differences, f"{case.name}: {case.shows}\n{report}"
    assert not not_converted(case, report), f"{case.name} is kept: {case.shows}\n{report}"
    assert report.outcome == SAME, f"{case.name}: {case.shows}\n{report}"
    assert bool(left(report)) == bool(case.kept), f"{case.name}: {case.shows}\n{report}"


@pytest.mark.parametrize("case", ASSUMED, ids=[case.name for case in ASSUMED])
def test_assumptions_are_listed(case: Case, runner: Runner) -> None:
    careful = runner.compare(case.program)
    assert not careful.converted, f"{case.name} is converted without being asked to\n{careful}"
    report = runner.compare(case.program, "--unsafe-fixes")
    assert report.outcome == SAME, f"{case.name}: {case.shows}\n{report}"
    assert not left(report), f"{case.name}: {case.shows}\n{report}"
    lines = [line for line in report.messages.splitlines() if "assum" in line.lower()]
    assert any(map(_PLACE.search, lines)), f"{case.name}: no assumption in\n{report.messages}"


@pytest.mark.parametrize("case", UNSAFE, ids=[case.name for case in UNSAFE])
def test_unsafe_fixes_convert(case: Case, runner: Runner) -> None:
    careful = runner.compare(case.program)
    assert not careful.converted, f"{case.name} is converted without being asked to\n{careful}"
    report = runner.compare(case.program, "--unsafe-fixes")
    assert report.ran, f"{case.name} is not changed: {case.shows}\n{report.messages}"
    assert not left(report), f"{case.name}: {case.shows}\n{report}"
    other = [text for text in report.differences if not _NOT_QUITE.search(text)]
    assert not other, f"{case.name}: {case.shows}\n{report}"


@pytest.mark.parametrize("case", ANY, ids=[case.name for case in ANY])
def test_sessions_get_no_config(case: Case, runner: Runner) -> None:
    report = runner.compare(case.program, "--unsafe-fixes")
    assert report.outcome == SAME, f"{case.name}: {case.shows}\n{report}"
    for path, text in report.migrated.items():
        assert not re.search(r"Session\([^)]*config", text), f"{case.name}: {path}\n{report}"
