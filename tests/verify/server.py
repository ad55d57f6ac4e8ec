"""Runs many small programs on simulated GPUs, in forks of one process that has TensorFlow."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType

import pytest

from tfgpu.verify.assumptions import Assumption
from tfgpu.verify.changed import Statement
from tfgpu.verify.compare import compare
from tfgpu.verify.gpus import Machine
from tfgpu.verify.imported import program_files
from tfgpu.verify.legs import RECORDER, Program, Surroundings, job_of, run_of
from tfgpu.verify.observation import Observation
from tfgpu.verify.on_gpus import observe_simulated
from tfgpu.verify.simgpu.build import CannotBuild, build
from tfgpu.verify.simgpu.gpus import environment, parse_gpus
from tfgpu.verify.simgpu.launch import simulated_environment
from tfgpu.verify.simgpu.target import NoTensorFlow, find_target
from tfgpu.verify.verdict import Verdict

STUBS = Path(__file__).parent / "stubs"


def libraries_or_skip() -> Path:
    """Return the simulated libraries for the TensorFlow of the tests; skip where it has none."""
    try:
        return build(find_target(sys.executable))
    except (NoTensorFlow, CannotBuild) as error:
        pytest.skip(str(error))


# Runs two programs, given by their texts, and compares them.
Compare = Callable[[str, str], Verdict]


@dataclass(slots=True)
class Server:
    """The process that forks a leg for each program.

    `libraries` are those for the TensorFlow of the interpreter `python`.
    """

    folder: Path
    libraries: Path
    timeout: float = 120
    python: str = sys.executable
    _process: subprocess.Popen[str] | None = None
    _count: int = field(default=0)

    def __enter__(self) -> Server:
        made = simulated_environment([], self.libraries)
        made["TF_CPP_MIN_LOG_LEVEL"] = "0"
        made["TF_USE_LEGACY_KERAS"] = "1"
        made["TMPDIR"] = str(self.folder)
        for name in ("TFGPU_SIM_GPUS", "CUDA_VISIBLE_DEVICES"):
            made.pop(name, None)
        self._process = subprocess.Popen(
            [self.python, str(Path(__file__).with_name("serve.py")), str(RECORDER)],
            env=made,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=self.folder,
        )
        self._answer()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process and self._process.stdin:
            self._process.stdin.close()
            self._process.wait()

    def _answer(self) -> str:
        assert self._process and self._process.stdout
        line = self._process.stdout.readline()
        assert line, "the process that runs legs ended"
        return line.strip()

    def leg(
        self,
        text: str,
        gpus: str,
        tensorflow1: bool,
        argv: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
        work: bool = False,
        path: Path | None = None,
        steps: int = 5,
        lines: Sequence[int] = (),
        statements: Sequence[Statement] = (),
        assumptions: Sequence[Assumption] = (),
        paths: Sequence[Path] = (STUBS,),
        until: bool = False,
        goes_on: bool = False,
        stubs: Sequence[str] = (),
        synthetic: bool = False,
        keras_2: bool = True,
        numbers: bool = False,
        alike: bool = False,
        drawn: bool = False,
    ) -> Observation:
        """Run a program and return what it showed; `path` is its file where it has one.

        `lines` are those of statements that should run, `statements` further ones of its file,
        `paths` folders with modules. Without `keras_2`, `tf.keras` is TensorFlow's own.
        """
        self._count += 1
        name = f"leg{self._count}"
        root = self.folder / name
        root.mkdir()
        if path is None:
            path = root / "program.py"
            path.write_text(text, "utf-8")
        there = _files(path.parent)
        machine = Machine(parse_gpus(gpus), ())
        program = Program(
            path.name,
            path,
            path.parent,
            path.parent,
            sys.executable,
            argv,
            tensorflow1,
            keras_2 and _keras(text),
            files=program_files(path, path.parent),
            version1=tensorflow1,
            statements=[
                *_statements(path, lines),
                *(replace(one, path=path) for one in statements),
            ],
            assumptions=assumptions,
        )
        run = run_of(program, self.folder, name)
        around = Surroundings(
            {},
            self.libraries,
            steps,
            self.timeout,
            until=until,
            goes_on=goes_on,
            stubs=stubs,
            synthetic=synthetic,
            numbers=numbers,
            alike=alike,
            drawn=drawn,
        )
        job = {
            **job_of(run, around),
            "work": work,
            "paths": list(map(str, paths)),
            "folder": str(path.parent),
            "timeout": self.timeout,
            "stdout": str(run.stdout),
            "stderr": str(run.stderr),
            "environment": {
                "TFGPU_SIM_GPUS": environment(list(machine.simulated or ())),
                "TFGPU_SIM_LOG": str(run.events),
                **({} if keras_2 else {"TF_USE_LEGACY_KERAS": "0"}),
                **(variables or {}),
            },
        }
        assert self._process and self._process.stdin
        started = time.monotonic()
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        run.seconds = time.monotonic() - started
        if answer.startswith("signal"):
            run.status = -int(answer.split()[1])
        elif answer != "timeout":
            run.status = int(answer)
        run.written = [(str(one), False) for one in sorted(_files(path.parent) - there)]
        return observe_simulated(machine, run)

    def verdict(
        self,
        before: str,
        after: str,
        gpus: str = "sim:2x1GiB",
        argv: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
        work: bool = False,
        tensorflow1: bool = True,
        bridge: bool = False,
        migrated: bool = False,
    ) -> Verdict:
        """Run a program and its migration, which may be for TensorFlow 1 too, and compare.

        `migrated` tells that tfgpu made it.
        """
        first = self.leg(before, gpus, tensorflow1, argv, variables, work)
        second = self.leg(after, gpus, bridge, argv, variables, work)
        second = replace(second, migrated=migrated)
        return Verdict(gpus, True, first, second, compare(first, second, simulated=True))


def _files(folder: Path) -> set[Path]:
    """Return the files of a program's folder, without those of the leg itself."""
    own = {"record.jsonl", "events.jsonl", "stdout", "stderr", "parts"}
    files = (one for one in folder.rglob("*") if one.is_file())
    return {one for one in files if one.relative_to(folder).parts[0] not in own}


def _statements(path: Path, lines: Sequence[int]) -> list[Statement]:
    """Return what begins on some lines of a file; something else may stand there."""
    if not lines:
        return []
    begins = {
        node.lineno: node.col_offset
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.stmt)
    }
    return [Statement(path, line, column=begins.get(line, 0)) for line in lines]


def _keras(text: str) -> bool:
    return "keras" in text


def tensorflow_version() -> str:
    """Return the version of the tests' TensorFlow, without importing it."""
    return importlib.metadata.version("tensorflow")


def describe(verdict: Verdict) -> str:
    """Return what differs, for the message of a failed assertion."""
    return "\n".join(
        f"{aspect.name}: {entry.subject}: {entry.before} | {entry.after} ({entry.reason})"
        for aspect in verdict.aspects
        for entry in aspect.entries
        if entry.outcome.value in ("mismatch", "inconclusive")
    ) + os.linesep.join(["", *verdict.before.trouble, *verdict.after.trouble])
