"""Checks of the installation: what simulated and real GPUs need, and what to install.

GPUs are measured with a probe in another process, and compared with what is predicted.
"""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import os
import platform
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tfgpu.verify.doctor.probe import FRACTION
from tfgpu.verify.isolation.mechanism import NotIsolated, choose
from tfgpu.verify.isolation.workspace import workspace
from tfgpu.verify.memory.limits import MIB, attempts, context_of, default_limit
from tfgpu.verify.memory.lines import columns
from tfgpu.verify.memory.predict import Setting, confidence, predict
from tfgpu.verify.memory.releases import Release, UnknownRelease, find_release
from tfgpu.verify.simgpu.build import (
    CannotBuild,
    cache_folder,
    check_machine,
    cuda_of,
    find_compiler,
)
from tfgpu.verify.simgpu.cards import find_card
from tfgpu.verify.simgpu.gpus import Gpu, cards
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
Finding = Mapping[str, Any]

_PROBE = Path(__file__).with_name("probe.py")


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
    if target is not None and not target.is_version1:
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


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a GPU, in bytes: predicted, and measured where it could be."""

    name: str
    predicted: int | None
    measured: int | None

    @property
    def difference(self) -> int | None:
        """By how much more was measured than predicted."""
        if self.predicted is None or self.measured is None:
            return None
        return self.measured - self.predicted


@dataclass(frozen=True, slots=True)
class Measured:
    """One GPU: `others` is what other processes held, None where that is not known.

    `line` is what to contribute, "" where TensorFlow's limit was not measured.
    """

    gpu: Gpu
    driver: int
    confidence: str
    others: int | None
    figures: Sequence[Figure]
    line: str


@dataclass(frozen=True, slots=True)
class Probed:
    """What the probe found; `ended` says why it found no more, "" where it went to its end."""

    findings: Sequence[Finding]
    ended: str

    def step(self, name: str) -> list[Finding]:
        """Return the findings of a step."""
        return [one for one in self.findings if one["step"] == name]


def probe(python: str, libraries: Sequence[str], seconds: float) -> Probed:
    """Run the probe on an interpreter for so many seconds at most."""
    with tempfile.TemporaryDirectory(prefix="tfgpu-") as folder:
        out, errors = Path(folder, "found"), Path(folder, "errors")
        with errors.open("w") as file:
            process = subprocess.Popen(
                [python, "-B", str(_PROBE), str(out), *libraries],
                stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=folder,
                env=environment_of_probe(), start_new_session=True,
            )  # fmt: skip
            ended = _wait(process, max(seconds, 0))
        text = out.read_text("utf-8") if out.is_file() else ""
        if not ended and process.returncode:
            said = errors.read_text("utf-8", "replace").strip().splitlines()
            ended = f"the probe ended with {process.returncode}: {(said or ['no message'])[-1]}"
    # A process that was killed may leave half a line.
    whole = text[: text.rfind("\n") + 1].splitlines()
    return Probed([json.loads(line) for line in whole], ended)


def _wait(process: subprocess.Popen[bytes], seconds: float) -> str:
    try:
        process.wait(seconds)
        return ""
    except subprocess.TimeoutExpired:
        return f"stopped after {seconds:.0f} s: what comes later was not measured (--timeout)"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def compare(probed: Probed, date: str) -> list[Measured]:
    """Compare each GPU that was measured with what is predicted for it."""
    version = next((one["version"] for one in probed.step("import") if "version" in one), "")
    settings = {one["setting"]: one for one in probed.step("setting")}
    gpus = probed.step("gpu")
    return [
        _compared(found, _Settings(settings, number, len(gpus)), version, date)
        for number, found in enumerate(gpus)
    ]


@dataclass(frozen=True, slots=True)
class _Settings:
    """What TensorFlow did with one GPU under each setting."""

    found: Mapping[str, Finding]
    number: int
    gpus: int

    def limit(self, name: str) -> int | None:
        """Return the memory limit of the device."""
        limits = self.found.get(name, {}).get("limits", [])
        # Where TensorFlow leaves a GPU out, which device is which is not known.
        return int(limits[self.number]) if len(limits) == self.gpus else None

    def taken(self, name: str) -> int | None:
        """Return what the driver gave at the first operation, which is on the first GPU."""
        return self.found.get(name, {}).get("taken") if self.number == 0 else None


def _compared(found: Finding, settings: _Settings, version: str, date: str) -> Measured:
    card = find_card(found["name"])
    known = cards()[card.key] if card else None
    gpu = replace(
        known or Gpu(overhead_mib=None),
        name=found["name"],
        total_mib=found["total"] / MIB,
        used_mib=(found["others"] or 0) / MIB,
        compute_capability=found["capability"],
        multiprocessors=found["multiprocessors"],
    )
    figures = [Figure("total", int(known.total_mib * MIB) if known else None, found["total"])]
    try:
        release = find_release(version)
    except UnknownRelease:
        release = None
    if release is not None:
        figures += _contexts(gpu, release, found)
        figures += _limits(gpu, release, _free(found), settings)
    known_by = confidence(known) if known else "estimated: this card is not known"
    line = _line(gpu, found, settings.limit("default"), version, date)
    return Measured(gpu, found["driver"], known_by, found["others"], figures, line)


def _free(found: Finding) -> int:
    last = found["free_with_runtime"]
    return int(found["free_with_context"] if last is None else last)


def _contexts(gpu: Gpu, release: Release, found: Finding) -> Iterator[Figure]:
    context = context_of(release.cuda)
    whole = context.size(gpu.compute_capability, gpu.multiprocessors)
    growth = min(context.growth * 1024, whole)
    free = found["total"] - (found["others"] or 0)
    last = found["free_with_runtime"]
    yield Figure("context", whole - growth, free - found["free_with_context"])
    yield Figure("context, runtime started", whole, None if last is None else free - last)


def _limits(gpu: Gpu, release: Release, free: int, settings: _Settings) -> Iterator[Figure]:
    default = settings.limit("default")
    by_rule = default_limit(free, release.version, gpu.compute_capability)
    yield Figure("default, given the free memory", by_rule, default)
    for name, setting in (
        ("default", Setting()),
        ("growth", Setting(growth=True)),
        ("fraction", Setting(fraction=FRACTION)),
    ):
        made = predict(gpu, release, setting)
        words = f"fraction {FRACTION}" if name == "fraction" else name
        yield Figure(f"{words}, limit", made.limit, settings.limit(name))
        taken = attempts(default, free)[-1] if name == "default" and default else made.taken
        if settings.number == 0:
            yield Figure(f"{words}, driver gave", taken, settings.taken(name))


def _line(gpu: Gpu, found: Finding, limit: int | None, version: str, date: str) -> str:
    if limit is None:
        return ""
    others = "unknown" if found["others"] is None else found["others"]
    row = {
        "card": gpu.name,
        "cc": gpu.compute_capability,
        "platform": platform.system(),
        "tf_version": version,
        "version_known_by": "measured",
        "release": ".".join(version.split(".")[:2]),
        "setting": "none",
        "total_gib_printed": f"{found['total'] / MIB / 1024:.2f}",
        "limit_mb": limit // MIB,
        "limit_bytes": limit,
        "date": date,
        "source": "tfgpu doctor",
        "note": f"CUDA driver {found['driver']}; total {found['total']}; free {_free(found)} with "
        f"a context; others {others}",
    }
    text = io.StringIO()
    csv.DictWriter(text, columns(), lineterminator="").writerow(row)
    return text.getvalue()
