"""Runs `tfgpu` in this process; what it verifies runs in forks of one that has loaded TensorFlow.

A command starts such a process for itself, and ends it: seconds each time. Here the first one that
is started goes on, for all later commands that would start one like it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from tfgpu.cli import main
from tfgpu.verify.legs import Leg
from tfgpu.verify.loaded import Loaded

_KNOWN: dict[tuple[object, ...], subprocess.Popen[str]] = {}


class Kept(Loaded):
    """A process that goes on when its verification has ended.

    Each leg gets its whole environment; what TensorFlow reads when it is imported tells processes
    apart. They end with the one that started them.
    """

    def __enter__(self) -> Kept:
        known = _KNOWN.get(_kind(self.like))
        if known and known.poll() is None:
            self._process = known
        else:
            super().__enter__()
            assert self._process
            _KNOWN[_kind(self.like)] = self._process
        return self

    def __exit__(self, *problem: object) -> None:
        pass


def _kind(leg: Leg) -> tuple[object, ...]:
    program, around = leg
    read = {
        name: value
        for name, value in around.environment.items()
        if name.startswith(("TF_", "XLA_", "LD_", "PYTHON"))
    }
    return program.python, program.legacy_keras, *sorted(read.items())


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder."""
    with ExitStack() as stack:
        stack.enter_context(pytest.MonkeyPatch.context()).setattr(
            "tfgpu.verify.on_gpus.Loaded", Kept
        )
        stack.enter_context(_inside(folder))
        runner = CliRunner(env={"COLUMNS": "200"})
        done = runner.invoke(main, arguments, prog_name="tfgpu")
    error = done.exception
    assert error is None or isinstance(error, SystemExit), (done.stderr, error)
    return subprocess.CompletedProcess(arguments, done.exit_code, done.stdout, done.stderr)
