"""Runs pairs of programs on simulated GPUs, the same work on both sides, and compares them."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from migrate.verify.observe import created_devices
from migrate.verify.simgpu.build import build
from migrate.verify.simgpu.events import Events, read_events
from migrate.verify.simgpu.gpus import Gpu, environment, parse_gpus
from migrate.verify.simgpu.launch import simulated_environment
from migrate.verify.simgpu.target import find_target

_ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Observation:
    """What one leg showed: from inside, TensorFlow's log, and the driver's events."""

    seen: Mapping[str, Any]
    created: list[list[str]]
    events: Events
    log: str


@dataclass(frozen=True, slots=True)
class Difference:
    """One aspect in which two legs differ; `small` when it is below one MiB or only a log."""

    aspect: str
    before: object
    after: object
    small: bool = False


@dataclass(slots=True)
class Server:
    """A process of the interpreter under test that runs legs, each in a fork of its own."""

    python: str
    timeout: float = 120
    _process: subprocess.Popen[str] | None = None
    _folder: tempfile.TemporaryDirectory[str] | None = None
    _count: int = field(default=0)

    def __enter__(self) -> Server:
        self._folder = tempfile.TemporaryDirectory(prefix="tfgpu-legs-")
        made = simulated_environment([], build(find_target(self.python)))
        made["PYTHONPATH"] = str(_ROOT)
        made["TF_CPP_MIN_LOG_LEVEL"] = "0"
        made.pop("TFGPU_SIM_GPUS")
        self._process = subprocess.Popen(
            [self.python, "-m", "migrate.verify.leg"],
            env=made,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=self._folder.name,
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
        if self._folder:
            self._folder.cleanup()

    def _answer(self) -> str:
        assert self._process and self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.python}: the process that runs legs ended")
        return line.strip()

    def run(
        self,
        program: str,
        gpus: Sequence[Gpu],
        tensorflow1: bool,
        argv: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
        paths: Sequence[str] = (),
    ) -> Observation:
        """Run one leg and return what it showed."""
        assert self._process and self._process.stdin and self._folder
        self._count += 1
        stem = os.path.join(self._folder.name, f"leg{self._count}")  # noqa: PTH118
        names = {key: f"{stem}.{key}" for key in ("out", "stderr", "events")}
        job = {
            "program": program,
            "tensorflow1": tensorflow1,
            "argv": list(argv),
            "paths": list(paths),
            "timeout": self.timeout,
            "out": names["out"],
            "stderr": names["stderr"],
            "environment": {
                "TFGPU_SIM_GPUS": environment(list(gpus)),
                "TFGPU_SIM_LOG": names["events"],
                **(variables or {}),
            },
        }
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        log = _text(names["stderr"])
        out = _text(names["out"])
        seen = json.loads(out) if out else {"outcome": f"the process ended: {answer}"}
        return Observation(seen, created_devices(log), read_events(Path(names["events"])), log)


def _text(path: str) -> str:
    file = Path(path)
    return file.read_text("utf-8", "replace") if file.is_file() else ""


def compare(before: Observation, after: Observation) -> list[Difference]:
    """Return in what two legs differ, the most telling aspect first."""
    found: list[Difference] = []
    for aspect in ("outcome", "work", "missing device"):
        found.extend(_differ(aspect, before.seen.get(aspect), after.seen.get(aspect)))
    found.extend(_devices(before, after))
    found.extend(_differ("physical GPUs", _bus_ids(before), _bus_ids(after)))
    found.extend(_allocations(before, after))
    left, right = before.seen.get("config") or {}, after.seen.get("config") or {}
    for path in sorted({*left, *right}):
        found.extend(_differ(f"config {path}", left.get(path), right.get(path)))
    found.extend(_differ("threads", _pools(before), _pools(after)))
    return found


def _differ(aspect: str, before: object, after: object) -> list[Difference]:
    return [] if before == after else [Difference(aspect, before, after)]


def _devices(before: Observation, after: Observation) -> list[Difference]:
    left, right = before.seen.get("devices") or [], after.seen.get("devices") or []
    if left == right:
        return []
    same_names = [entry[:2] for entry in left] == [entry[:2] for entry in right]
    gap = max((abs(a[2] - b[2]) for a, b in zip(left, right, strict=False)), default=0)
    return [Difference("devices", left, right, same_names and gap < 2**20)]


def _bus_ids(observation: Observation) -> dict[str, str]:
    return {name: pci for name, _, pci in observation.created}


def _allocations(before: Observation, after: Observation) -> list[Difference]:
    left, right = before.events.allocations(), after.events.allocations()
    if left == right:
        return []
    small = left.keys() == right.keys() and all(
        len(left[gpu]) == len(right[gpu])
        and all(
            a[0] == b[0] and abs(a[1] - b[1]) < 2**20
            for a, b in zip(left[gpu], right[gpu], strict=True)
        )
        for gpu in left
    )
    return [Difference("allocations", _short(left), _short(right), small)]


def _short(allocations: Mapping[int, list[tuple[str, int]]]) -> dict[int, list[str]]:
    return {
        gpu: [f"{'' if kind == 'alloc' else kind + ' '}{size / 2**20:.6g}" for kind, size in calls]
        for gpu, calls in sorted(allocations.items())
    }


def _pools(observation: Observation) -> dict[str, int]:
    threads = observation.seen.get("threads") or {}
    return {name: count for name, count in threads.items() if name.startswith("tf_Compute")}


def describe(observation: Observation) -> str:
    """Return one line: devices with memory and bus id, allocations in MiB."""
    devices = [f"{name} {mb}MB {pci}" for name, mb, pci in observation.created]
    return f"{devices} {_short(observation.events.allocations())}"


def parse(gpus: str) -> list[Gpu]:
    """Read the GPUs of an example; "none" is a machine without any."""
    return [] if gpus == "none" else parse_gpus(gpus)
