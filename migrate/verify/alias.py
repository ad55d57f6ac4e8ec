"""Lets a TensorFlow 1 program run on TensorFlow 2: `tensorflow` stands for `tensorflow.compat.v1`.

Nothing else is shimmed except Keras' session functions, which Keras 3 no longer has: the session
that a program gives to Keras is remembered, so that the leg can be observed.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any


class TensorFlow1(ModuleType):
    """The module `tensorflow` as version 1 had it; sub-modules stay those of the package."""

    def __init__(self, package: ModuleType) -> None:
        super().__init__("tensorflow", package.__doc__)
        self.__path__ = list(package.__path__)
        self.__file__ = package.__file__
        self.__spec__ = package.__spec__
        self.__version__ = package.__version__
        self._v1 = importlib.import_module("tensorflow.compat.v1")

    def __getattr__(self, name: str) -> Any:
        if name == "keras":
            return sys.modules.get("keras") or importlib.import_module("keras")
        try:
            return getattr(self._v1, name)
        except AttributeError:
            if f"tensorflow.{name}" in sys.modules:
                return sys.modules[f"tensorflow.{name}"]
            raise AttributeError(f"module 'tensorflow' has no attribute {name!r}") from None


def become_tensorflow1() -> list[Any]:
    """Replace `tensorflow` by its version 1; return the list of sessions given to Keras."""
    package = importlib.import_module("tensorflow")
    alias = TensorFlow1(package)
    alias._v1.disable_v2_behavior()
    sys.modules["tensorflow"] = alias
    return _keras_sessions()


def _keras_sessions() -> list[Any]:
    sessions: list[Any] = []
    backend: Any = importlib.import_module("keras.backend")
    backend.set_session = sessions.append
    backend.get_session = lambda: sessions[-1]
    backend.tensorflow_backend = backend
    sys.modules["keras.backend.tensorflow_backend"] = backend
    return sessions
