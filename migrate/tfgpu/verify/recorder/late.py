"""Settings that no config holds, or that change after the devices were made."""

from __future__ import annotations

import contextlib
import functools
import re
import sys
from collections.abc import Callable
from typing import Any

from .config import flat
from .machine import counted_variables, late_variables
from .modules import live_context, module_of
from .options import DATASETS, OPERATIONS, RUNS

_MIXED = ("keras", "tf_keras.src", "tf_keras")
# What Keras 2 says where nobody has set a policy and the behaviour of version 2 is off: a layer
# takes the type of its input.
_NONE_SET = "_infer"
_FLOATS = ("keras.src.backend.config", "tf_keras.src.backend_config", "keras.backend_config")
# What is written for a config that stays what it was.
_SET_LATE = "set later in the config of eager code"
# Variables that are read for the threads of each session, and by one that makes a GPU.
_OF_SESSIONS = re.compile(r"TF_GPU_THREAD_|TF_NUM_")
_OF_GPUS = re.compile(r"TF_(FORCE_)?GPU_|TF_NUM_")
_LATE_VARIABLES = "variables set after the devices were made"


def _context() -> Any:
    return module_of("eager.context").context()


def _config() -> Any:
    return module_of("framework.config")


def _policy() -> Any:
    """Return Keras's policy where a Keras is loaded; asking must not load one."""
    for name in _MIXED:
        if name in sys.modules and name + ".mixed_precision" in sys.modules:
            module: Any = sys.modules[name + ".mixed_precision"]
            get = getattr(module, "dtype_policy", None) or module.global_policy
            policy = get().name
            return "float32" if policy == _NONE_SET else policy
    return None


def _floats() -> Any:
    """Return the type that a loaded Keras gives to numbers."""
    for name in _FLOATS:
        if name in sys.modules:
            return sys.modules[name].floatx()
    return None


def _functions_eager() -> Any:
    module: Any = sys.modules["tensorflow.python.eager.polymorphic_function.eager_function_run"]
    return module.functions_run_eagerly()


def _config_of_eager_code() -> dict[str, str]:
    """Return what the config of a live eager context says now."""
    context = live_context()
    if context is None:
        return {}
    fields = {"allow_soft_placement": "False", **flat(context.config)}
    if context._soft_device_placement is None:  # the config says what it is in graphs there
        fields["allow_soft_placement"] = "True"
    return fields


# What of a context sets something that may be set at any time.
_SWITCHES = (
    "device_policy", "execution_mode", "executor", "soft_device_placement", "log_device_placement",
    "optimizer_jit", "set_optimizer_experimental_options",
)  # fmt: skip

# None of these initialises the GPUs. TensorFlow 1.15 has not all of them.
_READ: dict[str, Callable[[], Any]] = {
    "TensorFloat-32": lambda: _config().tensor_float_32_execution_enabled(),
    "deterministic operations": lambda: _config().is_op_determinism_enabled(),
    "mixed precision": _policy,
    "type of Keras's numbers": _floats,
    "tf.function as eager code": _functions_eager,
    "device policy of eager code": lambda: _context()._device_policy.name,
    "asynchronous eager code": lambda: _context().is_async(),
    # None unless the program has set it: eager code has it on by itself.
    "soft placement set for eager code": lambda: _context()._soft_device_placement,
}


def watch(observer: Any) -> None:
    """Look at the settings whenever eager code switches one, which may be for one operation."""

    def looking(switch: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(switch)
        def switched(*args: Any, **given: Any) -> Any:
            observer.look()
            result = switch(*args, **given)
            observer.look()
            return result

        return switched

    for name in ("tensor_float_32_execution", "determinism"):
        with contextlib.suppress(ImportError):  # a version that has no such setting
            module = module_of(f"util._pywrap_{name}")
            module.enable = looking(module.enable)
    kind = module_of("eager.context").Context
    for name in _SWITCHES:
        known = getattr(kind, name, None)
        if isinstance(known, property) and known.fset:
            new = property(known.fget, looking(known.fset), known.fdel, known.__doc__)
            setattr(kind, name, new)
        elif callable(known):
            setattr(kind, name, looking(known))


def seed_of_random_numbers(graphs: list[Any]) -> str:
    """Tell whether the program has set one, for eager code or for one of some graphs."""
    seeds = [getattr(_context(), "_seed", None), *(graph.seed for graph in graphs)]
    return "set" if any(seed is not None for seed in seeds) else "not set"


class _Values:
    """The values that a setting had, in order, and whether anything was done under each.

    What was set before anything was done, or between two works, and changed again, did nothing.
    """

    def __init__(self) -> None:
        self._values: list[list[Any]] = []  # a value, whether something was done

    def note(self, value: str, worked: bool) -> None:
        """Note what the value is now, and whether anything was done since it was last noted."""
        if self._values:
            self._values[-1][1] = self._values[-1][1] or worked
        if not self._values or self._values[-1][0] != value:
            self._values.append([value, False])

    def texts(self) -> list[str]:
        """Return the values that something was done under, and the one at the end."""
        found: list[str] = []
        for value, used in self._values[:-1]:
            if used and found[-1:] != [value]:
                found.append(value)
        for value, used in self._values[-1:]:
            if found[-1:] != [value]:
                found.append(value if used or not found else f"{value} at the end")
        return found

    @property
    def first(self) -> str:
        """The value when it was first noted."""
        return str(self._values[0][0])

    def __str__(self) -> str:
        return ", then ".join(self.texts())


class Settings:
    """The values that each setting had, in order."""

    def __init__(self) -> None:
        self.environment: dict[str, str] | None = None  # in which TensorFlow made its devices
        self._variables: set[str] = set()
        self._cards: set[str] = set()  # whose GPUs are made
        self._seen: dict[str, _Values] = {}
        self._config: dict[str, _Values] = {}  # of eager code, by field
        self.worked = False  # since it was looked at last
        self._options: dict[str, set[str]] = {what: set() for what in (RUNS, DATASETS, OPERATIONS)}

    def given(self, what: str, options: dict[str, str], to: str) -> None:
        """Note options that the program has given, and the name of what has them, if it has one."""
        text = ", ".join(f"{path}: {value}" for path, value in sorted(options.items()))
        if text:
            self._options[what].add(f"{text} ({to})" if to else text)

    def makes_gpus(self, devices: list[list[Any]]) -> bool:
        """Note the cards of devices; tell whether there is one that had no GPU before."""
        cards = {bus for *_, bus in devices if bus}
        is_new = not cards <= self._cards
        self._cards |= cards
        return is_new

    def of_session(self, devices: list[list[Any]]) -> dict[str, str]:
        """Return the variables that a session reads and that changed since devices were made."""
        read = _OF_GPUS if self.makes_gpus(devices) else _OF_SESSIONS
        if self.environment is None:
            return {}
        known, now = self.environment, counted_variables()
        return {
            f"environment.{name}": now.get(name, "not set")
            for name in {*known, *now}
            if read.match(name) and known.get(name) != now.get(name)
        }

    def devices_made(self) -> bool:
        """Note the environment of devices that are made; tell whether these are the first."""
        first = self.environment is None
        if first:
            self.environment = counted_variables()
        return first

    def look(self) -> None:
        """Note values that are new."""
        worked, self.worked = self.worked, False
        if self.environment is not None:
            self._variables |= late_variables(self.environment)
        for name, read in _READ.items():
            with contextlib.suppress(Exception):  # of a version that has no such setting
                value = read()
                if value is not None:
                    self._seen.setdefault(name, _Values()).note(str(value), worked)
        with contextlib.suppress(Exception):
            fields, first = _config_of_eager_code(), not self._config
            for path in {*self._config, *fields}:
                known = self._config.setdefault(path, _Values())
                if not (first or known.texts()):
                    known.note("default", worked)
                known.note(fields.get(path, "default"), worked)

    def _late(self) -> list[str]:
        """Return what was set in the config of eager code after that was first looked at."""
        found = []
        for path, values in sorted(self._config.items()):
            texts = values.texts()
            if texts != [values.first]:
                found.append(f"{path}: {', then '.join(texts)}")
        return found

    def seen(self) -> dict[str, str]:
        """Return all values of each setting, one behind another."""
        found = {name: str(values) for name, values in self._seen.items()}
        found.update(
            (what, "; ".join(sorted(texts)) or "none") for what, texts in self._options.items()
        )
        if self.environment is not None:
            found[_LATE_VARIABLES] = "; ".join(sorted(self._variables)) or "none"
        if self._config:
            found[_SET_LATE] = "; ".join(self._late()) or "nothing"
        return found
