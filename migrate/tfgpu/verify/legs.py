"""Runs programs as legs: a process each, kept apart, with the recorder inside, and timed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import Any

from tfgpu.verify.assumptions import Assumption, for_job
from tfgpu.verify.changed import Statement
from tfgpu.verify.isolation.mechanism import (
    Mechanism,
    NotIsolated,
    Place,
    launch_command,
    told,
)
from tfgpu.verify.isolation.processes import Loaded
from tfgpu.verify.scratch import copy_tree, written_below
from tfgpu.verify.simgpu.build import OBJECT

_JOB = "job.json"
# What the recorder's job has of a program, and of what is around it, as it is.
_OF_PROGRAM = (
    "module", "source", "stands_in", "version1", "children_stand_in", "legacy_keras",
)  # fmt: skip
_OF_SURROUNDINGS = ("steps", "until", "goes_on", "synthetic", "numbers", "alike", "drawn")
COPY = "tree"
RECORDER = Path(__file__).parent / "recorder"

# What a leg with TensorFlow takes on simulated GPUs, in bytes (benchmarks/verify.py), and what is
# added where it takes all memory of its GPUs in advance: TensorFlow's BFC allocator keeps 8 bytes
# for every 256 (`AllocationRegion` in bfc_allocator.h).
_LEG_MEMORY = 1_000_000_000
_BOOKKEEPING = 8 / 256

# How long the launcher of a leg may take to end what the leg has started, in seconds.
_CLEARING = 20
_KIB = 1024

# The limit of a container and what it uses, for the two versions of control groups.
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


@dataclass(frozen=True, slots=True)
class Version:
    """One of two versions of a program: its script inside `root`, the folder with its files.

    `folder` is the working directory, `changes` are the files that it sees otherwise than they are:
    new bytes, or None for one that it does not see; `files` are those that its code leads to, which
    are compared by their statements (see `imported`). `statements` are those that the other version
    does not have, `assumptions` what is to be checked in its run, `unread` is what the other one
    reads (see `uses`) and this one does not, `new_constants` those that are others in it (see
    `new_constants`). `takes_arguments` is false where it is told nothing when it is started.
    `migrated` tells that tfgpu made it of the other one
    and changed its settings only. `name` is what the user calls it, `module` what `python -m` would
    run, "" for a script; `source` what is run of a notebook, None for a script.
    """

    name: str
    script: Path
    root: Path
    folder: Path
    _: KW_ONLY
    changes: Mapping[Path, bytes | None] = field(default_factory=dict)
    files: Mapping[Path, bool] = field(default_factory=dict)
    statements: Sequence[Statement] = ()
    assumptions: Sequence[Assumption] = ()
    unread: Sequence[str] = ()
    new_constants: Sequence[str] = ()
    takes_arguments: bool = True
    migrated: bool = False
    module: str = ""
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Program(Version):
    """A version to run, with its interpreter.

    `stands_in` lets `tensorflow` stand for `tensorflow.compat.v1` where the program does not run as
    it is, `version1` tells that it may be one of TensorFlow 1, `children_stand_in` lets it stand in
    all processes that the program starts; `legacy_keras` gives it Keras 2 (see
    `recorder/keras.py`).
    """

    python: str
    argv: Sequence[str] = ()
    stands_in: bool = False
    legacy_keras: bool = False
    version1: bool = False
    children_stand_in: bool = False


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a leg runs: environment variables, simulated libraries, steps, seconds.

    `libraries` is the folder of the simulated driver, None for real GPUs; `steps` 0 is to the end;
    `timeout` is in seconds; `mechanism` keeps it from the user's files. `paths` are folders with
    modules that the program finds before those that are installed. `until` stops it at its first
    session, `goes_on` lets it go on with zeros behind it (see `recorder/until.py`); `stubs` are
    modules that are stood in for; `synthetic` gives it data where it has none (see
    `recorder/synthetic.py`); `numbers` computes them on the CPU (see `recorder/numbers.py`), where
    `alike` lets variables of one shape begin with the same ones, and `drawn` random tensors that
    are drawn at different places differ.
    """

    environment: Mapping[str, str]
    libraries: Path | None
    steps: int
    timeout: float
    mechanism: Mechanism | None = None
    paths: Sequence[str] = ()
    until: bool = False
    goes_on: bool = False
    stubs: Sequence[str] = ()
    synthetic: bool = False
    numbers: bool = False
    alike: bool = False
    drawn: bool = False


Leg = tuple[Program, Surroundings]


@dataclass(slots=True)
class Run:
    """One leg that was run: its record and its output, as files, and how its process ended.

    `name` is that of its folder.
    `status` is that of the process (negative: the signal that ended it), None after a timeout.
    `peak_rss` is in bytes, `seconds` is wall time. `written` are the files that it made, changed or
    removed in its own view, and whether it removed them; they are in a copy of its folder where it
    has no `view`. `read_only` are the folders that it could not write to at all.
    """

    program: Program
    name: str
    record: Path
    events: Path
    stdout: Path
    stderr: Path
    status: int | None = None
    seconds: float = 0.0
    peak_rss: int = 0
    written: Sequence[tuple[str, bool]] = ()
    view: bool = True
    read_only: Sequence[str] = ()
    loaded: Sequence[Loaded] = ()
    left: Sequence[tuple[int, str]] = ()


def run_of(program: Program, work: Path, name: str) -> Run:
    """Return a leg that is still to be run, with its files in `work`, named after it."""
    return Run(
        program,
        name,
        record=work / name / "record.jsonl",
        events=work / name / "events.jsonl",
        stdout=work / name / "stdout",
        stderr=work / name / "stderr",
    )


def job_of(run: Run, around: Surroundings) -> dict[str, object]:
    """Return the job that the recorder gets (see `recorder/leg.py`)."""
    program = run.program
    return {
        **{name: getattr(program, name) for name in _OF_PROGRAM},
        **{name: getattr(around, name) for name in _OF_SURROUNDINGS},
        "script": str(program.script),
        "argv": list(program.argv),
        "root": str(program.root),
        "paths": list(around.paths),
        "out": str(run.record),
        "begun": time.time(),
        "stubs": list(around.stubs),
        "marks": _marks(program),
        "known": [str(path) for path in program.files],
        "assumptions": for_job(program.assumptions, program.root),
        "driver": str(around.libraries / OBJECT) if around.libraries else "",
    }


def _marks(program: Program) -> dict[str, list[tuple[int, int, int]]]:
    found: dict[str, list[tuple[int, int, int]]] = {}
    for one in program.statements:
        found.setdefault(str(one.path), []).append((one.line, one.column, one.part))
    return found


@dataclass(frozen=True, slots=True)
class Laid:
    """A leg that is laid out: its process has to be started, and what it told to be read."""

    run: Run
    place: Place
    environment: Mapping[str, str]
    command: Sequence[str]
    timeout: float

    @property
    def job(self) -> Path:
        """The file with the recorder's job."""
        return self.place.folder / _JOB

    def end(self, seconds: float) -> Run:
        """Return the leg, which has ended, with what its launcher told."""
        found = told(self.place)
        if "error" in found:
            raise NotIsolated(found["error"])
        if not found:  # the launcher did not come to tell it
            self.run.status = -signal.SIGKILL
        elif found.get("status") is not None:
            self.run.status = os.waitstatus_to_exitcode(found["status"])
        self.run.seconds = found.get("seconds", seconds)
        self.run.peak_rss = found.get("memory", 0) * 1024
        self.run.written = [(path, removed) for path, removed in found.get("written", ())]
        tree = self.place.folder / COPY
        if tree.exists():
            self.run.view = False
            self.run.written = written_below(tree, since=self.job.stat().st_mtime_ns)
        self.run.read_only = found.get("read_only", ())
        self.run.loaded = [Loaded(*one) for one in found.get("loaded", ())]
        self.run.left = [(process, command) for process, command in found.get("left", ())]
        return self.run


def lay_out(leg: Leg, work: Path, name: str) -> Laid:
    """Write all that a leg needs, and what its launcher is to do.

    Raises:
        ScratchError: the program's folder cannot be copied, and has to be.
    """
    program, around = leg
    assert around.mechanism is not None
    place = Place(work, name)
    place.make()
    changes: list[tuple[str, str | None]] = []
    environment = environment_of(leg)
    if around.mechanism.copies:
        program = _copied(program, place)
        environment["TMPDIR"] = str(place.folder / "tmp")
    else:
        changes = _laid_out(program.changes, place)
    run = run_of(program, work, name)
    job = place.folder / _JOB
    job.write_text(json.dumps(job_of(run, around)), "utf-8")
    if around.libraries:
        environment["TFGPU_SIM_LOG"] = str(run.events)
        environment["TFGPU_SIM_HOST_BYTES"] = str(for_books())
    command = [program.python, str(RECORDER), str(job)]
    return Laid(
        run,
        place,
        environment,
        launch_command(around.mechanism, place, program.folder, command, changes),
        around.timeout,
    )


def environment_of(leg: Leg) -> dict[str, str]:
    """Return the environment in which TensorFlow is imported for a leg."""
    program, around = leg
    keras = {"TF_USE_LEGACY_KERAS": "1"} if program.legacy_keras else {}
    return {**around.environment, "TF_CPP_MIN_LOG_LEVEL": "0", **keras}


def run_leg(
    leg: Leg, work: Path, name: str, running: list[subprocess.Popen[bytes]] | None = None
) -> Run:
    """Run one leg to its end, or until its time is over, and return what there is of it.

    Nothing that the program does is an error here: it may hang, crash or run out of memory.
    Its process is added to those that are `running`.

    Raises:
        NotIsolated: it could not be kept apart, and was not started.
        ScratchError: the program's folder cannot be copied, and has to be.
    """
    laid = lay_out(leg, work, name)
    started = time.monotonic()
    with laid.run.stdout.open("wb") as out, laid.run.stderr.open("wb") as err:
        process = subprocess.Popen(
            laid.command,
            env=laid.environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        if running is not None:
            running.append(process)
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(laid.timeout)
        finally:
            end_launcher(process)
    return laid.end(time.monotonic() - started)


def _copied(program: Program, place: Place) -> Program:
    """Copy a program's folder for a leg that has no view of its own; return the copy."""
    tree = place.folder / COPY
    copy_tree(program.root, tree)
    (place.folder / "tmp").mkdir()
    for path, data in program.changes.items():
        target = tree / path.relative_to(program.root)
        if data is None:
            target.unlink(missing_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    return replace(
        program,
        root=tree,
        script=tree / program.script.relative_to(program.root),
        folder=tree / program.folder.relative_to(program.root),
        statements=[
            replace(one, path=tree / one.path.relative_to(program.root))
            for one in program.statements
        ],
    )


def _laid_out(changes: Mapping[Path, bytes | None], place: Place) -> list[tuple[str, str | None]]:
    """Put the new bytes of files where the launcher of a leg takes them from."""
    folder = place.folder / "changes"
    folder.mkdir()
    made: list[tuple[str, str | None]] = []
    for number, (path, data) in enumerate(changes.items()):
        if data is None:
            made.append((str(path), None))
        else:
            new = folder / str(number)
            new.write_bytes(data)
            made.append((str(path), str(new)))
    return made


def end_launcher(process: subprocess.Popen[Any]) -> None:
    """Let the launcher end its leg and all that this has started, and wait for that."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(_CLEARING)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run_legs(legs: Sequence[tuple[Leg, str]], work: Path, most: int) -> list[Run]:
    """Run legs with their names, so many at once; an interrupt ends them."""
    running: list[subprocess.Popen[bytes]] = []
    with ThreadPoolExecutor(most) as pool:
        try:
            return list(pool.map(lambda one: run_leg(one[0], work, one[1], running), legs))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in running:
                process.terminate()
            raise


def bookkeeping(gpu_memory: float) -> float:
    """Return the memory of the host that TensorFlow takes for so much of GPUs, both in bytes."""
    return gpu_memory * _BOOKKEEPING


def for_books() -> int:
    """Return the memory of this machine in bytes that one leg may take for books about GPUs."""
    return max(0, free_memory() - _LEG_MEMORY)


def room(gpu_memory: float) -> int:
    """Return for how many legs at once this machine has memory free, at least one.

    `gpu_memory` is the total memory of the simulated GPUs of each in bytes.
    """
    return max(1, int(free_memory() / (_LEG_MEMORY + bookkeeping(gpu_memory))))


def free_memory(root: Path = Path("/")) -> int:
    """Return the bytes that programs may still take, of memory and swap and of the container's.

    What only caches files counts as free.
    """
    told = re.findall(r"^(MemAvailable|SwapFree):\s*(\d+)", _text(root / "proc/meminfo"), re.M)
    left = [sum(int(number) * _KIB for _, number in told)]
    for limit, used in _GROUPS:
        most, now = (_text(root / path.lstrip("/")).strip() for path in (limit, used))
        if most.isdigit() and now.isdigit():
            statistics = _text((root / limit.lstrip("/")).with_name("memory.stat"))
            cached = re.search(r"^(?:total_)?inactive_file (\d+)", statistics, re.M)
            left.append(int(most) - int(now) + int(cached[1] if cached else 0))
    return max(0, min(left))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""
