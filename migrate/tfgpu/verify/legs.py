"""Runs programs as legs: a process each, with the recorder inside, watched and timed from here."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tfgpu.verify.simgpu.build import OBJECT

RECORDER = Path(__file__).parent / "recorder"

# What a leg with TensorFlow takes on simulated GPUs, in bytes (benchmarks/verify.py), and what is
# added where it takes all memory of its GPUs in advance: TensorFlow's BFC allocator keeps 8 bytes
# for every 256 (`AllocationRegion` in bfc_allocator.h).
_LEG_MEMORY = 1_000_000_000
_BOOKKEEPING = 8 / 256


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run: its script inside `root`, the folder that it is run in, its interpreter.

    `root` is the folder with the program's files, `folder` the working directory. `stands_in` lets
    `tensorflow` stand for `tensorflow.compat.v1`; `legacy_keras` gives it Keras 2 (see
    `recorder/keras.py`). `name` is what the user calls it.
    """

    name: str
    script: Path
    root: Path
    folder: Path
    python: str
    argv: Sequence[str] = ()
    stands_in: bool = False
    legacy_keras: bool = False


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a leg runs: environment variables, simulated libraries, steps, seconds.

    `libraries` is the folder of the simulated driver, None for real GPUs; `steps` 0 is to the end;
    `timeout` is in seconds.
    """

    environment: Mapping[str, str]
    libraries: Path | None
    steps: int
    timeout: float


@dataclass(slots=True)
class Run:
    """One leg that was run: its record and its output, as files, and how its process ended.

    `status` is that of the process (negative: the signal that ended it), None after a timeout.
    `peak_rss` is in bytes, `seconds` is wall time.
    """

    program: Program
    record: Path
    events: Path
    stdout: Path
    stderr: Path
    status: int | None = None
    seconds: float = 0.0
    peak_rss: int = 0
    started: float = field(default_factory=time.monotonic)


def run_of(program: Program, work: Path, name: str) -> Run:
    """Return a leg that is still to be run, with its files in `work`, named after it."""
    return Run(
        program,
        record=work / f"{name}.record.jsonl",
        events=work / f"{name}.events.jsonl",
        stdout=work / f"{name}.stdout",
        stderr=work / f"{name}.stderr",
    )


def job_of(run: Run, around: Surroundings, work: bool = False) -> dict[str, object]:
    """Return the job that the recorder gets (see `recorder/leg.py`)."""
    return {
        "script": str(run.program.script),
        "argv": list(run.program.argv),
        "root": str(run.program.root),
        "paths": [],
        "out": str(run.record),
        "steps": around.steps,
        "stands_in": run.program.stands_in,
        "legacy_keras": run.program.legacy_keras,
        "driver": str(around.libraries / OBJECT) if around.libraries else "",
        "work": work,
    }


def run_leg(program: Program, around: Surroundings, work: Path, name: str) -> Run:
    """Run one leg to its end, or until its time is over, and return what there is of it.

    Nothing that the program does is an error here: it may hang, crash or run out of memory.
    """
    run = run_of(program, work, name)
    job = work / f"{name}.job.json"
    job.write_text(json.dumps(job_of(run, around)), "utf-8")
    environment = dict(around.environment)
    environment["TF_CPP_MIN_LOG_LEVEL"] = "0"
    # A leg that is ended after its steps has no time to remove what TensorFlow left there.
    temporary = work / f"{name}.tmp"
    temporary.mkdir()
    environment["TMPDIR"] = str(temporary)
    if around.libraries:
        environment["TFGPU_SIM_LOG"] = str(run.events)
    if program.legacy_keras:
        environment["TF_USE_LEGACY_KERAS"] = "1"
    with run.stdout.open("wb") as out, run.stderr.open("wb") as err:
        process = subprocess.Popen(
            [program.python, str(RECORDER), str(job)],
            env=environment,
            cwd=program.folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            _wait(process, run, around.timeout)
        finally:
            _end(process)
    run.seconds = time.monotonic() - run.started
    return run


def _wait(process: subprocess.Popen[bytes], run: Run, timeout: float) -> None:
    """Wait for a process, with its use of memory; leave `status` None when the time is over."""
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        done, status, used = os.wait4(process.pid, os.WNOHANG)
        if done:
            process.returncode = run.status = os.waitstatus_to_exitcode(status)
            run.peak_rss = _bytes(used)
            return
        time.sleep(0.02)


def _bytes(used: resource.struct_rusage) -> int:
    return used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a leg: itself after a timeout, and what it has started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    if process.returncode is None:
        process.wait()


def run_together(
    before: tuple[Program, Surroundings], after: tuple[Program, Surroundings], work: Path
) -> tuple[Run, Run]:
    """Run two legs side by side."""
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(run_leg, *before, work, "before")
        second = run_leg(*after, work, "after")
        return first.result(), second


def room_for_two(gpu_memory: float) -> bool:
    """Tell whether this machine has memory free for two legs at once.

    `gpu_memory` is the total memory of the simulated GPUs in bytes.
    """
    try:
        pages, size = os.sysconf("SC_AVPHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return False
    return pages * size > 2 * (_LEG_MEMORY + gpu_memory * _BOOKKEEPING)
