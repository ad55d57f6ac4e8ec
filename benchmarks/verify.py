"""Time `tfgpu verify` beside the two plain runs of the same programs, one after the other.

Usage, from the repository root: ``python -m benchmarks.verify [--python PATH]``. All run
the four-GPU trainer to its end on the same simulated GPUs; each round runs every command once, in
turn. It also prints the peak memory of a leg on eight A100 of 80 GB: of a program with growth,
and of one that takes all memory of four cards in advance.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIXTURE = ROOT / "fixtures" / "cifar_four_gpus"
GROWING = ROOT / "fixtures" / "horovod_pinning"
GPUS = "sim:4x16GiB"

# A TensorFlow 1 program as a user would run it on TensorFlow 2 by hand.
STAND_IN = """\
import runpy, sys
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
sys.modules["tensorflow"] = tf
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def commands(python: str) -> dict[str, list[str]]:
    """Return the commands to time; the first two are the plain runs."""
    tfgpu = [sys.executable, "-m", "tfgpu"]
    simulate = [*tfgpu, "simulate", "--gpus", GPUS, "--", python]
    before, after = str(FIXTURE / "before.py"), str(FIXTURE / "after.py")
    return {
        "before, plain": [*simulate, "-c", STAND_IN, before],
        "after, plain": [*simulate, after],
        "tfgpu verify --quick": verification(python, GPUS, "--quick", before, after),
        "tfgpu verify": verification(python, GPUS, before, after),
    }


def verification(python: str, gpus: str, *rest: str) -> list[str]:
    """Return the command that verifies two programs to their end; `rest` are options and these."""
    tfgpu = [sys.executable, "-m", "tfgpu", "verify", "--format", "json"]
    return [*tfgpu, "--python", python, "--gpus", gpus, "--steps", "0", *rest]


def timed(command: list[str]) -> float:
    """Run a command; return its wall time in seconds.

    Raises:
        subprocess.CalledProcessError: it failed: a time of something else would be no time.
    """
    started = time.perf_counter()
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    return time.perf_counter() - started


def peak(python: str, program: Path) -> int:
    """Return the most memory that a leg of a program took on eight cards of 80 GB, in bytes."""
    scripts = [str(program / "before.py"), str(program / "after.py")]
    command = verification(python, "sim:8xA100-80", "--quick", *scripts)
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    verdict = json.loads(done.stdout)
    return max(int(verdict[leg]["peak_rss"]) for leg in ("before", "after"))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="interpreter with TensorFlow")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    table = commands(given.python)
    times: dict[str, list[float]] = {name: [] for name in table}
    for command in table.values():
        timed(command)  # builds the driver, warms the disk
    for _ in range(given.rounds):
        for name, command in table.items():
            times[name].append(timed(command))
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, seconds in medians.items():
        print(f"| {name} | {seconds:.1f} s |")
    plain = medians["before, plain"] + medians["after, plain"]
    for name in ("tfgpu verify --quick", "tfgpu verify"):
        print(f"| {name} / both plain runs | {medians[name] / plain:.2f} |")
    for program in (GROWING, FIXTURE):
        took = peak(given.python, program) / 1e9
        print(f"| peak memory of a leg, {program.name} on sim:8xA100-80 | {took:.2f} GB |")


if __name__ == "__main__":
    main()
