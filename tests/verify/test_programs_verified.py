"""Programs of several files, before and after, on simulated GPUs: nothing may change."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from migrate.verify.compare import compare
from migrate.verify.gpus import choose
from migrate.verify.observation import Observation
from migrate.verify.programs import two_files
from migrate.verify.simgpu.build import CannotBuild, build
from migrate.verify.simgpu.target import NoTensorFlow, find_target
from migrate.verify.verdict import Outcome, Verdict
from migrate.verify.verification import Settings, verify
from tests.programs import FIXTURES, NEEDS_ESTIMATOR, RUNS, Run, files
from tests.verify.server import Server, describe, libraries_or_skip

GPUS = "sim:4x16GiB"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("legs"), libraries_or_skip()) as running:
        yield running


def observe(server: Server, run: Run, leg: str, folder: Path) -> Observation:
    """Run one side of a program, in a copy of its own."""
    root = folder / leg
    shutil.copytree(FIXTURES / run.program / leg, root)
    text = b"".join(files(root).values()).decode()
    path = root / run.script
    return server.leg(text, GPUS, leg == "before", run.argv, dict(run.variables), path=path)


def verdict(server: Server, run: Run, folder: Path) -> Verdict:
    before, after = (observe(server, run, leg, folder) for leg in ("before", "after"))
    return Verdict(GPUS, True, before, after, compare(before, after, simulated=True))


@pytest.mark.parametrize(
    "run",
    [run for run in RUNS if run.program != NEEDS_ESTIMATOR],
    ids=lambda run: "_".join([run.program, run.script, *run.argv, *dict(run.variables).values()]),
)
def test_before_and_after_are_the_same(server: Server, run: Run, tmp_path: Path) -> None:
    found = verdict(server, run, tmp_path)
    assert found.outcome is Outcome.MATCH, describe(found)
    for leg in (found.before, found.after):
        assert leg.failure is None or "GPU" in leg.failure.message
        assert leg.sessions
