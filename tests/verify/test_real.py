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


V1_CHILD = """
import tensorflow as tf
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
    session.run(tf.matmul(tf.ones([8, 8]), tf.ones([8, 8])))
"""
STARTER = """
import subprocess, sys
subprocess.run([sys.executable, "child.py"], check=True)
"""


def test_children_of_tensorflow_1_run_as_on_simulated_gpus(tmp_path: Path) -> None:
    libraries_or_skip()
    pytest.importorskip("pynvml", reason="nvidia-ml-py finds real GPUs: pip install nvidia-ml-py")
    (tmp_path / "child.py").write_text(V1_CHILD)
    (tmp_path / "start.py").write_text(STARTER)
    tfgpu = [sys.executable, "-m", "tfgpu"]
    inner = [*tfgpu, "verify", "--gpus", "real", "--quick", "--format", "json", "start.py"]
    done = subprocess.run(
        [*tfgpu, "simulate", "--gpus", "sim:1x2GiB", "--", *inner, "start.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    before = json.loads(done.stdout)["before"]
    assert before["ended"] == "end", before["stderr"]
    assert [child["program"] for child in before["children"]] == ["python child.py"]
    assert before["stands_in"]
