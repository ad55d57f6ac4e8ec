"""Safe fixes change no program: each one runs before and after, and shows the same.

The programs are under `programs/`, by the class of mistake that they would show. A config that is
kept is fine here; what must be converted is the question of `test_convert.py`.
"""

from __future__ import annotations

import pytest

from tests.differential.runner import NOT_COMPARABLE, Runner
from tests.soundness.programs import Case, cases

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_safe_fixes_change_nothing(case: Case, runner: Runner) -> None:
    assert case.program.entries, "a program says how it is run"
    report = runner.compare(case.program)
    assert report.outcome != NOT_COMPARABLE, f"{case.name} is no test: {report}"
    for ran in report.ran:
        assert ran.before.ended in ("end", "exit"), f"{case.name} fails: {ran.before.failure}"
    assert not report.differences, f"{case.name}: {case.shows}\n{report}"
