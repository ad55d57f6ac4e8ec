"""Finds interpreters with another TensorFlow than that of the tests."""

from __future__ import annotations

import os
import shutil

import pytest

from tests.verify.server import libraries_or_skip
from tfgpu.verify.simgpu.build import CannotBuild, build
from tfgpu.verify.simgpu.target import NoTensorFlow, find_target


def python_with(version: str, variable: str, candidate: str) -> str:
    """Return the interpreter that an environment variable names, or a candidate, or skip.

    It must have a TensorFlow of that version, for which the simulated driver can be built.
    """
    libraries_or_skip()
    python = os.environ.get(variable) or shutil.which(candidate)
    if not python:
        pytest.skip(f"no TensorFlow {version}: {variable} is not set, there is no {candidate}")
    try:
        target = find_target(python)
        if not target.version.startswith(version):
            pytest.skip(f"no TensorFlow {version}: {python} has {target.version}, set {variable}")
        build(target)
    except (NoTensorFlow, CannotBuild, OSError) as error:
        pytest.skip(f"no TensorFlow {version}: {str(error).splitlines()[0]}")
    return python


def python_with_tensorflow1() -> str:
    """Return an interpreter with TensorFlow 1.15, or skip."""
    return python_with("1.15", "TFGPU_TF1_PYTHON", "python3.7")
