"""Programs of several files, before and after, on simulated GPUs: nothing may change."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.verify.interpreters import python_with_tensorflow1
from tests.verify.server import Server, describe
from tests.whole_programs import FIXTURES, KEPT, NEEDS_TENSORFLOW1, RUNS, Run, files
from tfgpu.verify.compare import compare
from tfgpu.verify.gpus import choose
from tfgpu.verify.observation import Observation
from tfgpu.verify.programs import two_files
from tfgpu.verify.verdict import Outcome, Verdict
from tfgpu.verify.verification import Settings, verify

GPUS = "sim:4x1GiB"


def observe(server: Server, run: Run, leg: str, folder: Path) -> Observation:
    """Run one side of a program, in a copy of its own."""
    root = folder / leg
    shutil.copytree(FIXTURES / run.program / leg, root)
    text = b"".join(files(root).values()).decode()
    path = root / run.script
    return server.leg(text, GPUS, leg == "before", run.argv, dict(run.variables), path=path)


@pytest.mark.parametrize(
    "run",
    [run for run in RUNS if run.program not in (*KEPT, NEEDS_TENSORFLOW1)],
    ids=lambda run: "_".join([run.program, run.script, *run.argv, *dict(run.variables).values()]),
)
def test_before_and_after_are_the_same(server: Server, run: Run, tmp_path: Path) -> None:
    before, after = (observe(server, run, leg, tmp_path) for leg in ("before", "after"))
    after = replace(after, migrated=True)
    verdict = Verdict(GPUS, True, before, after, compare(before, after, simulated=True))
    match(verdict)


def test_an_input_pipeline_against_tensorflow_1() -> None:
    match(verified(NEEDS_TENSORFLOW1, python_with_tensorflow1(), sys.executable))


def verified(program: str, before_python: str, python: str) -> Verdict:
    settings = Settings(choose(GPUS), python, before_python, quick=True)
    before, after = (Run(program).path(leg) for leg in ("before", "after"))
    return verify(lambda: two_files(before, after), settings)


def match(verdict: Verdict) -> None:
    """Check that both sides made sessions on GPUs, ended well, and showed the same."""
    assert verdict.outcome is Outcome.MATCH, describe(verdict)
    for leg in (verdict.before, verdict.after):
        assert leg.failure is None
        assert leg.sessions
