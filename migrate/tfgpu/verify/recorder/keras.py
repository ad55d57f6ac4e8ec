"""Which Keras a program gets.

Keras 3 has no sessions. Where the program needs them and tf_keras (Keras 2) is installed, both legs
run on that one; `keras` and `tf.keras` are then the same package, as they were in TensorFlow 1.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

_SESSION_FUNCTIONS = ("set_session", "get_session", "clear_session")


class _Finder:
    """Finds `keras` and gives another package for it."""

    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> Any:
        if name != "keras":
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        sys.modules["keras"] = importlib.import_module(self._package)


def prepare_keras(tensorflow: ModuleType, stands_in: bool, legacy: bool) -> None:
    """Let the program's Keras be one that has sessions where it needs them (see above)."""
    if legacy:
        package = "tf_keras.api._v1.keras" if stands_in else "tf_keras"
        sys.modules.pop("keras", None)
        sys.meta_path.insert(0, _Finder(package))
    if stands_in and (legacy or _is_keras_2(tensorflow)):
        backend: Any = importlib.import_module("keras.backend")
        v1: Any = importlib.import_module("tensorflow.compat.v1")
        for name in _SESSION_FUNCTIONS:
            setattr(backend, name, getattr(v1.keras.backend, name))
        backend.tensorflow_backend = backend
        sys.modules["keras.backend.tensorflow_backend"] = backend


def _is_keras_2(tensorflow: ModuleType) -> bool:
    """Tell whether TensorFlow's own Keras is Keras 2, which it was before 2.16."""
    major, minor = tensorflow.__version__.split(".")[:2]
    return (int(major), int(minor)) < (2, 16)
