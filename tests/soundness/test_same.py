"""Safe fixes change no program: each one runs before and after, and shows the same.

The programs are under `programs/`, by the class of mistake that they would show. A config that is
kept is fine here; programs that must be converted are run by `test_convert.py`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.differential.runner import NOT_COMPARABLE, Ran, Runner, closure, is_tensorflow1
from tests.soundness.programs import Case, cases
from tfgpu.verify.observation import Observation

KERAS = cases("M")
CASES = [case for case in cases() if not case.expect and case not in KERAS]


def check_before(case: Case, ran: Ran) -> None:
    """Check that a program is a test: it runs, and what it shows can be compared."""
    assert ran.outcome != NOT_COMPARABLE, f"{case.name} is no test: {ran.reason}"
    assert ran.before.ended in ("end", "exit"), f"{case.name} fails: {ran.before.failure}"


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_safe_fixes_change_nothing(case: Case, runner: Runner) -> None:
    assert case.program.entries, "a program says how it is run"
    report = runner.compare(case.program)
    for ran in report.ran:
        check_before(case, ran)
    assert not report.differences, f"{case.name}: {case.shows}\n{report}"


def shown(leg: Observation) -> tuple[str, str, str]:
    """Return how a leg ended and what it printed."""
    failure = f"{leg.failure.kind}: {leg.failure.message}" if leg.failure else ""
    return leg.ended, failure, leg.stdout


@pytest.mark.parametrize("case", KERAS, ids=[case.name for case in KERAS])
def test_a_keras_program_goes_on_to_work(case: Case, runner: Runner) -> None:
    """It may lose its last name of TensorFlow 1 with its session: then it runs eagerly."""
    report = runner.compare(case.program)
    for ran in report.ran:
        check_before(case, ran)
        files = closure(report.migrated, ran.entry.script)
        if any(is_tensorflow1(report.migrated[path]) for path in files):
            assert not ran.differences, f"{case.name}: {case.shows}\n{report}"
            continue
        program = replace(case.program, files=report.migrated)
        after = runner.run(program, replace(ran.entry, tensorflow1=False))
        assert shown(after) == shown(ran.before), f"{case.name}: {case.shows}\n{report.diff()}"
