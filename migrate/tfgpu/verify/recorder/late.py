"""Settings that no config holds, or that change after the devices were made."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable
from typing import Any

_MIXED = ("keras", "tf_keras.src", "tf_keras")
# What Keras 2 says where nobody has set a policy and the behaviour of version 2 is off: a layer
# takes the type of its input.
_NONE_SET = "_infer"


def _context() -> Any:
    module: Any = importlib.import_module("tensorflow.python.eager.context")
    return module.context()


def _config() -> Any:
    return importlib.import_module("tensorflow.python.framework.config")


def _policy() -> Any:
    """Return Keras's policy where a Keras is loaded; asking must not load one."""
    for name in _MIXED:
        if name in sys.modules and name + ".mixed_precision" in sys.modules:
            module: Any = sys.modules[name + ".mixed_precision"]
            get = getattr(module, "dtype_policy", None) or module.global_policy
            policy = get().name
            return "float32" if policy == _NONE_SET else policy
    return None


def _or(value: Any, default: bool) -> bool:
    """Return a setting of eager code, or what it is where nobody has set it."""
    return default if value is None else bool(value)


# None of these initialises the GPUs. TensorFlow 1.15 has not all of them.
_READ: dict[str, Callable[[], Any]] = {
    "TensorFloat-32": lambda: _config().tensor_float_32_execution_enabled(),
    "deterministic operations": lambda: _config().is_op_determinism_enabled(),
    "soft placement of eager code": lambda: _or(_context()._soft_device_placement, True),
    "log of placements of eager code": lambda: _or(_context()._log_device_placement, False),
    "mixed precision": _policy,
}


class Settings:
    """The values that each setting had, in order."""

    def __init__(self) -> None:
        self._seen: dict[str, list[str]] = {}

    def look(self) -> None:
        """Note values that are new."""
        for name, read in _READ.items():
            with contextlib.suppress(Exception):  # of a version that has no such setting
                value = read()
                values = self._seen.setdefault(name, [])
                if value is not None and values[-1:] != [str(value)]:
                    values.append(str(value))

    def seen(self) -> dict[str, str]:
        """Return all values of each setting, one behind another."""
        return {name: ", then ".join(values) for name, values in self._seen.items() if values}
