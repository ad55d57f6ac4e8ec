"""Runs a command on simulated GPUs.

The command sees the simulated libraries first (LD_LIBRARY_PATH comes before TensorFlow's own search
path) and the stand-in for ptxas first on PATH.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tfgpu.verify.simgpu.build import build
from tfgpu.verify.simgpu.gpus import Gpu, environment, parse_gpus
from tfgpu.verify.simgpu.target import find_target


def simulated_environment(
    gpus: Sequence[Gpu],
    libraries: Path,
    log: Path | None = None,
    base: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return the environment in which a program finds these GPUs.

    `libraries` is a folder that `build` made, `log` the file for the driver's events.
    """
    made = dict(os.environ if base is None else base)
    made["TFGPU_SIM_GPUS"] = environment(list(gpus))
    made["LD_LIBRARY_PATH"] = _first(str(libraries), made.get("LD_LIBRARY_PATH"))
    made["PATH"] = _first(str(libraries / "bin"), made.get("PATH"))
    made.pop("TFGPU_SIM_LOG", None)
    if log is not None:
        made["TFGPU_SIM_LOG"] = str(log.absolute())
    return made


def python_of(command: Sequence[str]) -> str:
    """Return the interpreter whose TensorFlow a command uses: its first word, or this one."""
    name = Path(command[0]).name
    found = shutil.which(command[0])
    return found if found and name.startswith("python") else sys.executable


def simulate(gpus: str, command: Sequence[str], log: Path | None = None) -> int:
    """Run a command on the GPUs that a text such as `sim:2xT4` describes; return its status.

    Raises:
        SpecError: the text is wrong.
        NoTensorFlow: the interpreter of the command has no TensorFlow with CUDA.
        CannotBuild: the driver is not built yet and cannot be.
    """
    described = parse_gpus(gpus)
    libraries = build(find_target(python_of(command)))
    made = simulated_environment(described, libraries, log)
    return subprocess.run(list(command), env=made, check=False).returncode


def _first(path: str, rest: str | None) -> str:
    return f"{path}{os.pathsep}{rest}" if rest else path
