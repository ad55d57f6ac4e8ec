"""`tfgpu doctor`: on simulated GPUs that pose as real ones, and on broken installations."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.verify.server import libraries_or_skip
from tfgpu.verify.memory.lines import Line, line_of

CUDA_BUILD = (
    "build_info = {'is_cuda_build': True, 'cuda_version': '12.5.1', 'cudnn_version': '9'}\n"
)


def doctor(
    *arguments: str, before: tuple[str, ...] = (), variables: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """Run doctor and return what it prints as JSON, with its exit status."""
    done = subprocess.run(
        [*before, sys.executable, "-m", "tfgpu", "doctor", "--format", "json", *arguments],
        env={**os.environ, **dict(variables)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout, done.stderr
    return {**json.loads(done.stdout), "status": done.returncode}


def problems(found: dict[str, Any]) -> dict[str, str]:
    """Return what was found by the checks that are not good."""
    return {one["name"]: one["found"] for one in found["checks"] if not one["good"]}


def python_with(folder: Path, files: dict[str, str]) -> str:
    """Return an interpreter that has no packages but these files."""
    for name, text in files.items():
        path = folder / "packages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    script = folder / "python"
    script.write_text(
        f'#!/bin/sh\nPYTHONPATH="{folder}/packages" exec "{sys.executable}" -S "$@"\n'
    )
    script.chmod(0o755)
    return str(script)


def test_nothing_differs_on_simulated_gpus_that_pose_as_real_ones() -> None:
    libraries_or_skip()
    command = ("simulate", "--gpus", "sim:T4,A40", "--")
    found = doctor("--timeout", "300", before=(sys.executable, "-m", "tfgpu", *command))
    assert not problems(found)
    assert [gpu["name"] for gpu in found["gpus"]] == ["NVIDIA A40", "Tesla T4"]
    for gpu in found["gpus"]:
        assert {one["name"]: one["difference"] for one in gpu["figures"]} == {
            one["name"]: 0 for one in gpu["figures"]
        }
    names = [one["name"] for one in found["gpus"][0]["figures"]]
    assert {"context, runtime started", "default, limit", "growth, driver gave"} <= set(names)
    for gpu in found["gpus"]:
        assert contributed(gpu["line"]).by_card() == contributed(gpu["line"]).limit


def contributed(text: str) -> Line:
    """Read a line as `lines.csv` has them."""
    (values,) = csv.reader([text])
    return line_of(values)


def test_no_time_is_said() -> None:
    found = doctor("--timeout", "1")
    assert "stopped after" in found["remark"]
    assert not found["gpus"]


def test_no_tensorflow(tmp_path: Path) -> None:
    found = doctor("--python", python_with(tmp_path, {}))
    assert found["status"] == 1
    assert "has no TensorFlow" in problems(found)["TensorFlow with CUDA"]


def test_a_tensorflow_without_cuda(tmp_path: Path) -> None:
    files = {
        "tensorflow/__init__.py": "__version__ = '2.21.0'\n",
        "tensorflow/python/platform/build_info.py": "build_info = {'is_cuda_build': False}\n",
    }
    found = doctor("--python", python_with(tmp_path, files))
    assert "built without CUDA" in problems(found)["TensorFlow with CUDA"]


def test_a_tensorflow_that_cannot_be_imported(tmp_path: Path) -> None:
    files = {
        "tensorflow/__init__.py": "raise ImportError('libsomething.so: no such file')\n",
        "tensorflow/libtensorflow_framework.so.2": "",
        "tensorflow/python/platform/build_info.py": CUDA_BUILD,
        "tf_keras/__init__.py": "",
    }
    found = doctor("--python", python_with(tmp_path, files))
    assert problems(found) == {"import of TensorFlow": "ImportError: libsomething.so: no such file"}
    assert "No real GPU" in found["remark"]


@pytest.mark.parametrize(
    ("variable", "value", "check"),
    [
        ("CC", "/bin/false", "C compiler"),
        ("CC", "no-such-compiler", "C compiler"),
        ("TFGPU_CACHE", "/dev/null/cache", "cache folder"),
    ],
)
def test_what_building_the_driver_needs(
    tmp_path: Path, variable: str, value: str, check: str
) -> None:
    found = doctor("--python", python_with(tmp_path, {}), variables=[(variable, value)])
    assert check in problems(found)
    (one,) = [one for one in found["checks"] if one["name"] == check]
    assert one["advice"]


def test_an_interpreter_that_is_not_there() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tfgpu", "doctor", "--python", "/no/python"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "there is no interpreter /no/python" in done.stderr
