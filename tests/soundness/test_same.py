"""Safe fixes change no program: each one runs before and after, and shows the same.

The programs are under `programs/`, by the class of mistake that they would show. A config that is
kept is fine here; programs that must be converted are run by `test_convert.py`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.differential.compare import differences
from tests.differential.runner import NOT_COMPARABLE, Runner, closure, is_tensorflow1
from tests.soundness.programs import Case, cases

CASES = [case for case in cases() if not case.expect]
KERAS = cases("M")


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_safe_fixes_change_nothing(case: Case, runner: Runner) -> None:
    assert case.program.entries, "a program says how it is run"
    report = runner.compare(case.program)
    assert report.outcome != NOT_COMPARABLE, f"{case.name} is no test: {report}"
    for ran in report.ran:
        assert ran.before.ended in ("end", "exit"), f"{case.name} fails: {ran.before.failure}"
    assert not report.differences, f"{case.name}: {case.shows}\n{report}"


@pytest.mark.parametrize("case", KERAS, ids=[case.name for case in KERAS])
def test_a_program_without_names_of_tensorflow_1_runs_on_tensorflow_2(
    case: Case, runner: Runner
) -> None:
    """A Keras program may lose its last name of TensorFlow 1 with its session: it is eager then."""
    report = runner.compare(case.program)
    for ran in report.ran:
        files = closure(report.migrated, ran.entry.script)
        if any(is_tensorflow1(report.migrated[path]) for path in files):
            continue
        entry = replace(ran.entry, tensorflow1=False)
        after = runner.run(replace(case.program, files=report.migrated), entry)
        found = list(differences(ran.before, after))
        assert not found, f"{case.name}: {case.shows}\n{found}\n{report.diff()}"
