"""The TF1 fixtures on the real TensorFlow 1.15, on simulated GPUs.

Needs an interpreter with tensorflow-gpu 1.15: $TFGPU_TF1_PYTHON, or a python3.7 that has it. The
figures are those of four GPUs of 16 GiB; docs/tf1.md tells how they came about.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

import migrate
from migrate.verify.simgpu.build import OBJECT, NoCompiler, build
from migrate.verify.simgpu.events import read_events
from migrate.verify.simgpu.gpus import parse_gpus
from migrate.verify.simgpu.launch import simulated_environment
from migrate.verify.simgpu.target import NoTensorFlow, find_target

FIXTURES = Path(__file__).parents[2] / "fixtures"
STATIC_CUDART = Path(migrate.__file__).parent / "verify" / "recorder" / "static_cudart.py"
MIB = 1 << 20

# What a leg does before the program's first line.
RUNNER = """
import importlib.util, os, runpy, sys
import tensorflow
source, driver, program = sys.argv[1:4]
spec = importlib.util.spec_from_file_location("static_cudart", source)
module = sys.modules["static_cudart"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
assert module.redirect(os.path.dirname(tensorflow.__file__), driver) > 0
sys.argv = sys.argv[3:]
sys.path.insert(0, os.path.dirname(program))
runpy.run_path(program, run_name="__main__")
"""
_CREATED = re.compile(
    r"Created TensorFlow device \(/job:\S+/device:(GPU:\d+) with (\d+) MB memory\)"
    r".*pci bus id: 0000:(\d\d):"
)


class Tf1(NamedTuple):
    """An interpreter with TensorFlow 1.15 and the driver that was built for it."""

    python: str
    libraries: Path
    keras: bool


class Case(NamedTuple):
    """A program and what it shows: memory of its devices in MB, first allocations in MiB."""

    fixture: str
    devices: dict[str, tuple[int, int]]  # name: memory, place of the physical GPU
    first: dict[int, float]  # place of the physical GPU: first allocation
    argv: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    error: str = ""


def every(memory: int, count: int = 4) -> dict[str, tuple[int, int]]:
    """GPU i is physical GPU i."""
    return {f"GPU:{i}": (memory, i) for i in range(count)}


WHOLE = 15279  # of 16384 MB, without options
SECOND_RANK = (("HVD_STUB_LOCAL_RANK", "1"), ("HVD_STUB_SIZE", "2"))
CASES = [
    Case("cifar_four_gpus", every(WHOLE), dict.fromkeys(range(4), 15279.8)),
    Case("cuda_two_towers", every(WHOLE), {}),
    Case("cuda_visible_devices", {"GPU:0": (WHOLE, 1)}, {1: 1.0}),
    Case("device_placement", every(WHOLE), {0: 15279.8}),
    Case("fraction", every(6553), {0: 6553.6}),
    Case("gpu_out_of_range", every(WHOLE, 2), {}, error="InvalidArgumentError: Cannot assign"),
    Case("growth", every(WHOLE), {0: 1.0}),
    Case("growth_and_fraction", every(8192), {0: 1.0}),
    Case("guarded", every(WHOLE), {0: 1.0}),
    Case("guarded", every(4915), {0: 4915.2}, ("--memory", "0.3")),
    Case("guarded", {"GPU:0": (WHOLE, 1)}, {1: 1.0}, ("--gpu", "1")),
    Case("guarded", {"GPU:0": (4915, 1)}, {1: 4915.2}, ("--memory", "0.3", "--gpu", "1")),
    Case("guarded", every(WHOLE), {0: 1.0}, ("--strict",)),
    Case("helper_config", every(WHOLE), {0: 1.0}),
    Case("horovod_pinning", {"GPU:0": (WHOLE, 0)}, {0: 1.0}),
    Case("horovod_pinning", {"GPU:0": (WHOLE, 1)}, {1: 1.0}, environment=SECOND_RANK),
    Case("keras_set_session", every(WHOLE), {0: 1.0}),
    Case("self_config", every(WHOLE), {0: 1.0}),
    Case("soft_placement", every(WHOLE), {0: 15279.8}),
    Case("threads", every(WHOLE), {0: 15279.8}),
    Case("visible_devices", {"GPU:0": (WHOLE, 1)}, {1: 1.0}),
]


@pytest.fixture(scope="module")
def tf1() -> Tf1:
    """Find TensorFlow 1.15 and build the driver for it."""
    python = os.environ.get("TFGPU_TF1_PYTHON") or shutil.which("python3.7")
    if not python:
        pytest.skip("no TensorFlow 1.15: TFGPU_TF1_PYTHON is not set, there is no python3.7")
    try:
        target = find_target(python)
        if not target.version.startswith("1.15"):
            pytest.skip(f"{python} has TensorFlow {target.version}, not 1.15")
        libraries = build(target)
    except (NoTensorFlow, NoCompiler, OSError) as error:
        pytest.skip(f"no TensorFlow 1.15: {str(error).splitlines()[0]}")
    find_keras = "import importlib.util as u, sys; sys.exit(u.find_spec('keras') is None)"
    keras = subprocess.run([python, "-c", find_keras], check=False).returncode == 0
    return Tf1(python, libraries, keras)


@pytest.mark.parametrize("case", CASES, ids=lambda case: "_".join([case.fixture, *case.argv]))
def test_fixture(case: Case, tf1: Tf1, tmp_path: Path) -> None:
    program = FIXTURES / case.fixture / "before.py"
    if "import keras" in program.read_text() or "from keras" in program.read_text():
        tf1.keras or pytest.skip(f"{tf1.python} has no keras: pip install keras==2.3.1")
    log = tmp_path / "events.jsonl"
    made = simulated_environment(parse_gpus("sim:4x16GiB"), tf1.libraries, log)
    made.update(case.environment)
    python = [tf1.python, "-W", "ignore", "-c", RUNNER]
    done = subprocess.run(
        [*python, str(STATIC_CUDART), str(tf1.libraries / OBJECT), str(program), *case.argv],
        env=made,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode == 0) == (not case.error), done.stderr[-3000:]
    assert case.error in done.stderr
    created = _CREATED.findall(done.stdout + done.stderr)
    assert {name: (int(mb), int(bus) - 1) for name, mb, bus in created} == case.devices
    events = read_events(log)
    assert events.unmodelled == set()
    assert events.opaque == set()  # the parameters of every kernel were found
    first = {gpu: round(calls[0][1] / MIB, 1) for gpu, calls in events.allocations().items()}
    assert first == case.first
