"""The way through real GPUs, as far as it goes without any.

A `tfgpu verify` that itself runs on simulated GPUs takes them for real ones: it finds them through
NVML, runs the legs one after the other, and samples. What NVML shows of another process's memory is
not modelled, so that the runs prove nothing; that, too, must be said.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.verify.server import libraries_or_skip

FIXTURE = Path(__file__).parents[2] / "fixtures" / "visible_devices"


def test_real_gpus_are_found_and_used(tmp_path: Path) -> None:
    libraries_or_skip()
    pytest.importorskip("pynvml", reason="nvidia-ml-py finds real GPUs: pip install nvidia-ml-py")
    tfgpu = [sys.executable, "-m", "tfgpu"]
    inner = [*tfgpu, "verify", "--gpus", "real", "--format", "json"]
    # In a folder of its own: what other tests write beside the fixture is a change of its project.
    scripts = [shutil.copy(FIXTURE / name, tmp_path) for name in ("before.py", "after.py")]
    done = subprocess.run(
        [*tfgpu, "simulate", "--gpus", "sim:T4,V100-16", "--", *inner, *map(str, scripts)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    verdict = json.loads(done.stdout)
    assert verdict["simulated"] is False
    assert "Tesla T4" in verdict["gpus"]
    assert "V100" in verdict["gpus"]
    outcomes = {aspect["name"]: aspect["outcome"] for aspect in verdict["aspects"]}
    assert outcomes["devices"] == outcomes["placement"] == "match"
    for leg in ("before", "after"):
        assert [card["bus"] for card in verdict[leg]["physical"]] == [
            "0000:01:00.0",
            "0000:02:00.0",
        ]
        assert [d["bus"] for d in verdict[leg]["sessions"][0]["devices"] if d["bus"]] == [
            "0000:02:00.0"
        ]
        assert verdict[leg]["trouble"] == [
            "NVML shows no memory taken, although TensorFlow made devices on GPUs"
        ]


def test_without_real_gpus_it_says_so() -> None:
    command = [sys.executable, "-m", "tfgpu", "verify", "--gpus", "real"]
    done = subprocess.run(
        [*command, str(FIXTURE / "before.py")], capture_output=True, text=True, check=False
    )
    if done.returncode != 2:
        pytest.skip("this machine has real GPUs")
    assert "no real GPUs" in done.stderr
    assert "Traceback" not in done.stderr
