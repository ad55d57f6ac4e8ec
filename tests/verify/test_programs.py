"""Programs on simulated GPUs, with the TensorFlow of the interpreter that runs the tests.

Each must end well, call nothing that has no model, and launch no kernel that cannot be read.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import pytest

from tfgpu.verify.simgpu.build import CannotBuild, build
from tfgpu.verify.simgpu.events import Events, read_events
from tfgpu.verify.simgpu.gpus import environment, parse_gpus
from tfgpu.verify.simgpu.launch import simulated_environment
from tfgpu.verify.simgpu.target import NoTensorFlow, find_target

PROGRAMS = Path(__file__).with_name("programs")
TIMEOUT = 500  # seconds for all; a loop until the GPU says something else never ends


@pytest.fixture(scope="module")
def version() -> tuple[int, ...]:
    """The version of TensorFlow here."""
    try:
        return tuple(map(int, find_target(sys.executable).version.split(".")[:2]))
    except NoTensorFlow as error:
        pytest.skip(f"needs a TensorFlow with CUDA: {error}")


@dataclass
class Runner:
    """One process that has imported TensorFlow, and forks for each program."""

    process: subprocess.Popen[str]
    folder: Path
    count: int = 0

    def run(self, gpus: str, program: str, *arguments: str, **variables: str) -> Events:
        """Run a program to its good end, and return what the driver saw."""
        self.count += 1
        log, output = (self.folder / f"{self.count}.{end}" for end in ("log", "out"))
        simulated = {"TFGPU_SIM_GPUS": environment(parse_gpus(gpus)), "TFGPU_SIM_LOG": str(log)}
        asked = {
            "path": str(PROGRAMS / f"{program}.py"),
            "arguments": arguments,
            "variables": {**simulated, **variables},
            "output": str(output),
        }
        assert self.process.stdin and self.process.stdout
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        status = self.process.stdout.readline()
        printed = output.read_text("utf-8", "replace")
        assert (status, printed.split()[-1:]) == ("0\n", ["ok"]), printed[-6000:]
        events = read_events(log)
        assert events.unmodelled == set()
        assert events.opaque == set()
        return events


@pytest.fixture(scope="module")
def runner(version: tuple[int, ...], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """TensorFlow on the simulated driver."""
    try:
        libraries = build(find_target(sys.executable))
    except CannotBuild as error:
        pytest.skip(str(error))
    base = {key: value for key, value in os.environ.items() if not key.startswith(("TF_", "CUDA_"))}
    if version == (2, 15):  # its oneDNN rewrites layer normalization to what no GPU has (#62607)
        base["TF_ENABLE_ONEDNN_OPTS"] = "0"
    with subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("forked.py"))],
        env=simulated_environment([], libraries, None, base),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        stop = Timer(TIMEOUT, process.kill)
        stop.start()
        yield Runner(process, tmp_path_factory.mktemp("programs"))
        stop.cancel()
        assert process.stdin
        process.stdin.close()


@pytest.mark.parametrize(
    ("program", "gpus"),
    [
        ("graph_training", "sim:1x3GiB"),
        ("graph_control", "sim:1x3GiB"),
        ("placement", "sim:1x3GiB"),
        ("eager", "sim:1x3GiB"),
        ("compiled", "sim:1x3GiB"),
        ("recurrent", "sim:1x3GiB"),
        ("devices", "sim:3xT4"),
    ],
)
def test_program(runner: Runner, program: str, gpus: str) -> None:
    events = runner.run(gpus, program)
    assert events.peak()[0] > 2**30


def test_towers_use_all_gpus(runner: Runner) -> None:
    events = runner.run("sim:4x3GiB", "towers")
    assert sorted(events.allocations()) == [0, 1, 2, 3]


@pytest.mark.parametrize(("count", "way"), [(2, "nccl"), (4, "copy")])
def test_mirrored_strategy(runner: Runner, version: tuple[int, ...], count: int, way: str) -> None:
    if way == "nccl" and version < (2, 21):
        way = "copy"  # older versions carry an NCCL inside that finds no GPU to talk to
    events = runner.run(f"sim:{count}x3GiB", "mirrored", str(count), way)
    assert sorted(events.allocations()) == list(range(count))


def test_more_than_the_memory_is_refused(runner: Runner) -> None:
    events = runner.run("sim:4GiB", "exhausted")
    assert events.peak()[0] <= 4 * 2**30


def test_the_environment_chooses_how_memory_is_taken(runner: Runner) -> None:
    first = {
        name: runner.run("sim:1x3GiB", "growing", **variables).allocations()[0]
        for name, variables in {
            "growth": {"TF_FORCE_GPU_ALLOW_GROWTH": "true"},
            "async": {"TF_GPU_ALLOCATOR": "cuda_malloc_async"},
        }.items()
    }
    assert first["growth"][0] == ("alloc", 2 * 2**20)
    assert "async" in {operation for operation, _ in first["async"]}
