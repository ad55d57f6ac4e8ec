"""The TensorFlow that will run: where it is, its version, what it was built with."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

_FIND = (
    "import importlib.util as u; s = u.find_spec('tensorflow');"
    "print(s.submodule_search_locations[0] if s and s.submodule_search_locations else '')"
)

_LIBRARIES = (
    "libtensorflow_framework.so.2",
    "libtensorflow_cc.so.2",
    "libtensorflow_framework.so.1",
    "python/_pywrap_tensorflow_internal.so",
)


class NoTensorFlow(RuntimeError):
    """There is no TensorFlow, or none that can use GPUs."""


@dataclass(frozen=True, slots=True)
class Target:
    """One installed TensorFlow; versions as text, "" where it does not say."""

    folder: Path
    version: str
    cuda: str
    cudnn: str

    @property
    def is_version1(self) -> bool:
        """Whether it is TensorFlow 1."""
        return self.version.startswith("1.")

    @property
    def libraries(self) -> list[Path]:
        """The libraries that hold the names of CUDA's functions."""
        found = [self.folder / name for name in _LIBRARIES if (self.folder / name).is_file()]
        if not found:
            raise NoTensorFlow(f"{self.folder} has no TensorFlow libraries: is it for Linux?")
        return found


def find_target(python: str) -> Target:
    """Find the TensorFlow of an interpreter, without importing it.

    Raises:
        NoTensorFlow: the interpreter has none, or one without CUDA.
    """
    done = subprocess.run([python, "-c", _FIND], capture_output=True, text=True, check=False)
    folder = done.stdout.strip()
    if done.returncode or not folder:
        detail = f": {done.stderr.strip()}" if done.stderr.strip() else ""
        raise NoTensorFlow(f"{python} has no TensorFlow{detail}; try pip install tensorflow")
    return read_target(Path(folder))


def read_target(folder: Path) -> Target:
    """Read what a TensorFlow folder says about itself.

    Raises:
        NoTensorFlow: it was built without CUDA.
    """
    folder = _core(folder)
    build = folder / "python" / "platform" / "build_info.py"
    text = build.read_text(encoding="utf-8") if build.is_file() else ""
    if not re.search(r"is_cuda_build\W+True", text):
        raise NoTensorFlow(
            f"the TensorFlow in {folder} was built without CUDA; on Linux x86-64 "
            "pip install tensorflow brings one that was (tensorflow-cpu does not)"
        )
    return Target(
        folder,
        _version(folder),
        _value(text, "cuda_version(?:_number)?"),
        _value(text, "cudnn_version(?:_number)?"),
    )


def _core(folder: Path) -> Path:
    """Return the folder with TensorFlow's files: 1.15's `tensorflow` only imports another one."""
    core = folder.with_name("tensorflow_core")
    return core if not (folder / "python").is_dir() and core.is_dir() else folder


def _version(folder: Path) -> str:
    for info in folder.parent.glob("tensorflow*.dist-info/METADATA"):
        head = info.read_text(encoding="utf-8")[:2000]
        if re.search(r"(?m)^Name: tensorflow([-_]gpu)?$", head):
            found = re.search(r"(?m)^Version: (\S+)", head)
            return found.group(1) if found else ""
    return ""


def _value(text: str, key: str) -> str:
    found = re.search(rf"""['"]?{key}['"]?\s*[:=,]\s*['"]([^'"]*)""", text)
    return found.group(1) if found else ""
