"""Checks of the installation: what simulated and real GPUs need, and what to install."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tfgpu.verify.isolation.mechanism import NotIsolated, choose
from tfgpu.verify.isolation.workspace import workspace
from tfgpu.verify.simgpu.build import (
    CannotBuild,
    cache_folder,
    check_machine,
    cuda_of,
    find_compiler,
)
from tfgpu.verify.simgpu.target import NoTensorFlow, Target, find_target

# Packages beside tfgpu, and what they are for.
_PACKAGES = (
    ("pynvml", "nvidia-ml-py: finds and measures real GPUs"),
    ("jsonschema", "jsonschema: checks evidence"),
)
# The libraries that a TensorFlow opens on real GPUs, by the first number of its CUDA runtime.
_LIBRARIES = {
    11: ("libcudart.so.11.0", "libcublas.so.11", "libcufft.so.10", "libcusparse.so.11"),
    12: ("libcudart.so.12", "libcublas.so.12", "libcufft.so.11", "libcusparse.so.12"),
}
_SECONDS = 10


@dataclass(frozen=True, slots=True)
class Check:
    """One check: whether it is good, what was found, and what to do where it is not."""

    name: str
    good: bool
    found: str
    advice: str = ""


def check_tensorflow(python: str) -> tuple[Check, Target | None]:
    """Check that an interpreter has a TensorFlow with CUDA; it is not imported."""
    name = "TensorFlow with CUDA"
    try:
        target = find_target(python)
        libraries = target.libraries
    except (NoTensorFlow, OSError) as error:
        advice = f"{python} -m pip install 'tensorflow>=2.12', on Linux x86-64"
        return Check(name, False, str(error).splitlines()[0], advice), None
    found = f"{target.version or 'of unknown version'}, CUDA {target.cuda or 'unknown'}"
    return Check(name, bool(libraries), found), target


def check_driver_build() -> Iterator[Check]:
    """Check what building the simulated driver needs: system, compiler, a folder to keep it."""
    try:
        check_machine()
        yield Check("system", True, "Linux on x86-64")
    except CannotBuild as error:
        yield Check("system", False, str(error), "use --gpus real where there are NVIDIA GPUs")
    yield _compiler()
    yield _cache()


def _compiler() -> Check:
    advice = "apt install gcc, or pip install 'tfgpu[verify-zig]'"
    try:
        command = find_compiler()
    except CannotBuild as error:
        return Check("C compiler", False, str(error), advice)
    words = " ".join(command)
    with tempfile.TemporaryDirectory(prefix="tfgpu-") as folder:
        source = Path(folder, "try.c")
        source.write_text("int tried(void) { return 1; }\n", "utf-8")
        task = [*command, "-shared", "-fPIC", str(source), "-o", str(source.with_suffix(".so"))]
        try:
            done = subprocess.run(
                task, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Check("C compiler", False, f"{words}: {error}", advice)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no message"])[0]
        return Check("C compiler", False, f"{words} failed: {said}", advice)
    return Check("C compiler", True, words)


def _cache() -> Check:
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        advice = "set TFGPU_CACHE to a folder that can be written"
        return Check("cache folder", False, f"{folder}: {error.strerror}", advice)
    return Check("cache folder", True, str(folder))


def check_isolation() -> Check:
    """Check that programs can be kept from the user's files."""
    try:
        with workspace() as work:
            return Check("isolation", True, choose(work).words)
    except NotIsolated as error:
        advice = "allow user namespaces (unprivileged_userns_clone), or use a kernel with Landlock"
        return Check("isolation", False, str(error), advice)
    except OSError as error:
        return Check("isolation", False, str(error), "set TMPDIR to a folder that can be written")


def check_packages(python: str, target: Target | None) -> Iterator[Check]:
    """Check the packages that verify uses; Keras 2 belongs to the interpreter with TensorFlow."""
    for package, what in _PACKAGES:
        there = importlib.util.find_spec(package) is not None
        found = what if there else f"missing: {what}"
        yield Check(package, there, found, "pip install 'tfgpu[verify]'")
    if target is not None and not target.version.startswith("1."):
        there = (target.folder.parent / "tf_keras").is_dir()
        what = "Keras 2, for programs that give Keras a session"
        found = what if there else f"missing: {what}"
        yield Check("tf_keras", there, found, f"{python} -m pip install tf-keras")


def libraries_for_real_gpus(target: Target | None) -> tuple[str, ...]:
    """Return the names of the shared libraries that a TensorFlow opens on real GPUs."""
    cuda = cuda_of(target) if target is not None else None
    if target is None or cuda is None:
        return ()
    cudnn = (f"libcudnn.so.{target.cudnn.partition('.')[0]}",) if target.cudnn else ()
    return (*_LIBRARIES[cuda.major], *cudnn) if cuda.major in _LIBRARIES else ()


def check_libraries(missing: Sequence[str]) -> Check:
    """Check that the probe could open CUDA's libraries."""
    found = f"not found: {', '.join(missing)}" if missing else "all found"
    return Check("CUDA libraries", not missing, found, "pip install 'tensorflow[and-cuda]'")


def environment_of_probe() -> dict[str, str]:
    """Return the environment of the probe: without variables that would change what it measures."""
    left_out = ("TF_FORCE_GPU_ALLOW_GROWTH", "TF_GPU_ALLOCATOR", "TF_DEVICE_MIN_SYS_MEMORY_IN_MB")
    made = {name: value for name, value in os.environ.items() if name not in left_out}
    return {**made, "TF_CPP_MIN_LOG_LEVEL": "2"}
