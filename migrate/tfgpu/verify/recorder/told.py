"""Notes what training is told: callbacks and arguments of Keras, hooks, optimizers, savers.

Any of them may act only later than the runs that are watched (a patience, a boundary of a
schedule), so what they are and what they were given is compared.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from .importing import see_module

_CALLBACKS = (
    "keras.src.callbacks.callback_list",
    "keras.src.callbacks",
    "tf_keras.src.callbacks",
    "tensorflow.python.keras.callbacks",
)
_OPTIMIZERS = (
    ("keras.src.optimizers.base_optimizer", "BaseOptimizer"),
    ("tf_keras.src.optimizers.optimizer", "_BaseOptimizer"),
    ("tf_keras.src.optimizers.legacy.optimizer_v2", "OptimizerV2"),
    ("keras.src.optimizers.optimizer", "_BaseOptimizer"),
    ("keras.src.optimizers.legacy.optimizer_v2", "OptimizerV2"),
    ("tensorflow.python.keras.optimizer_v2.optimizer_v2", "OptimizerV2"),
)
_TRAINERS = (
    ("keras.src.backend.tensorflow.trainer", "TensorFlowTrainer"),
    ("tf_keras.src.engine.training", "Model"),
    ("tf_keras.src.engine.training_v1", "Model"),
    ("keras.src.engine.training", "Model"),
    ("tensorflow.python.keras.engine.training", "Model"),
    ("tensorflow.python.keras.engine.training_v1", "Model"),
)
# Arguments of `fit` that change no graph, and nothing in the first runs of a step.
_OF_FIT = (
    "shuffle", "class_weight", "sample_weight", "validation_data", "validation_freq",
    "validation_split", "initial_epoch",
)  # fmt: skip
_FITS = {"fit", "fit_generator"}
# What decides when checkpoints are written, and which stay, behind the first ones.
_SAVERS = (
    ("tensorflow.python.training.saver", "Saver"),
    ("tensorflow.python.checkpoint.checkpoint_management", "CheckpointManager"),
    ("tensorflow.python.training.checkpoint_management", "CheckpointManager"),
    ("tensorflow.python.training.supervisor", "Supervisor"),
)
_HOOKS = "tensorflow.python.training.monitored_session"

_LIBRARIES = re.compile(r"(keras|tf_keras|tensorflow|tensorflow_estimator)\b")
# These print, or collect what others print.
_QUIET = ("BaseLogger", "History", "ProgbarLogger", "LoggingTensorHook", "StepCounterHook")
# Methods that Keras or a session calls.
_CALLED = re.compile(r"on_\w+|before_run|after_run|begin|end|after_create_session")
# A plain word: paths and names hold what differs from run to run.
_WORD = re.compile(r"[A-Za-z_]*")
# Objects whose attributes belong to what has them: learning rate schedules, timers of hooks.
_HOLDS = re.compile(r"schedule|SecondOrStepTimer")
# Numbers of a release's own, which no program gives: how early a hook looks at its timer.
_OF_RELEASE = ("_steps_per_run",)
_CLOCK = 1e8  # a time is another one in each run
_LONGEST = 50
_MOST = 200


class Told:
    """Watches what one leg's training is told."""

    def __init__(self, observer: Any) -> None:
        self._observer = observer
        self._written: list[dict[str, Any]] = []
        self._optimizers: list[Any] = []

    def watch(self) -> None:
        """Watch each Keras, when it is imported, monitored sessions, and what saves."""
        for name in _CALLBACKS:
            see_module(name, self._watch_callbacks)
        for name, kind in _OPTIMIZERS:
            see_module(name, self._watch_optimizers(kind))
        for name, kind in _TRAINERS:
            see_module(name, self._watch_training(kind))
        for name, kind in _SAVERS:
            see_module(name, self._watch_savers(kind))
        see_module(_HOOKS, self._watch_hooks)

    def _watch_callbacks(self, module: ModuleType) -> None:
        kind = getattr(module, "CallbackList", None)
        if kind is None or hasattr(kind.on_train_begin, "tfgpu"):
            return
        begin = kind.on_train_begin

        def on_train_begin(listed: Any, logs: Any = None) -> None:
            self._write("callback", listed.callbacks)
            begin(listed, logs)

        on_train_begin.tfgpu = True  # type: ignore[attr-defined]
        kind.on_train_begin = on_train_begin

    def _watch_training(self, name: str) -> Callable[[ModuleType], None]:
        def watch(module: ModuleType) -> None:
            kind = getattr(module, name)
            for method in _FITS & vars(kind).keys():
                setattr(kind, method, self._telling(kind, getattr(kind, method)))

        return watch

    def _telling(self, kind: Any, fit: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fit)
        def told(*args: Any, **given: Any) -> Any:
            caller = sys._getframe(1)
            inner = caller.f_code.co_name == "fit_generator"  # a later Keras calls `fit` there
            if inner and _LIBRARIES.match(caller.f_globals.get("__name__", "")):
                return fit(*args, **given)
            with contextlib.suppress(TypeError):  # `fit` will refuse the arguments, too
                bound = inspect.signature(fit).bind(*args, **given)
                bound.apply_defaults()
                found = {one: bound.arguments.get(one) for one in _OF_FIT}
                self.note("training", "fit", kind, {one: _told(found[one]) for one in found})
            return fit(*args, **given)

        return told

    def _watch_hooks(self, module: Any) -> None:
        made = module._HookedSession.__init__

        def __init__(session: Any, inner: Any, hooks: Any) -> None:
            self._write("hook", hooks)
            made(session, inner, hooks)

        module._HookedSession.__init__ = __init__

    def _watch_optimizers(self, name: str) -> Callable[[ModuleType], None]:
        def watch(module: ModuleType) -> None:
            kind = getattr(module, name)
            made = kind.__init__

            def __init__(*args: Any, **given: Any) -> None:  # a keyword may be any name
                self._optimizers.append(args[0])
                made(*args, **given)

            kind.__init__ = __init__

        return watch

    def _watch_savers(self, name: str) -> Callable[[ModuleType], None]:
        def watch(module: ModuleType) -> None:
            kind = getattr(module, name, None)
            if kind is None or hasattr(kind.__init__, "tfgpu"):
                return
            made = kind.__init__

            @functools.wraps(made)
            def __init__(*args: Any, **given: Any) -> None:
                made(*args, **given)
                self._write("saver", [args[0]])

            __init__.tfgpu = True  # type: ignore[attr-defined]
            kind.__init__ = __init__

        return watch

    def forget(self) -> None:
        """Begin anew, in a fork."""
        self._written.clear()

    def finish(self) -> None:
        """Note the optimizers that were used."""
        self._write("optimizer", filter(_is_used, self._optimizers))

    def _write(self, what: str, told: Any) -> None:
        """Note what is new; a program may train again and again."""
        for one in told:
            if type(one).__name__ not in _QUIET:
                self.note(what, _name(one), type(one), _values(one))

    def note(self, what: str, name: str, kind: Any, values: dict[str, str]) -> None:
        """Note one thing that training was told, once."""
        of = f"{kind.__module__}.{kind.__name__}"
        row = {"what": what, "name": name, "type": of, "values": values}
        if row not in self._written and len(self._written) < _MOST:
            self._written.append(row)
            self._observer.stream.write("told", **row)


def _told(value: Any) -> str:
    """Return the text of an argument; of data only that there is some."""
    if isinstance(value, dict):
        value = sorted(value.items())
    return repr(value) if _is_plain(value) else "given"


def _is_used(optimizer: Any) -> bool:
    """Tell whether an optimizer has variables; each Keras says it otherwise."""
    for name in ("built", "_built"):
        if hasattr(optimizer, name):
            return bool(getattr(optimizer, name))
    return bool(getattr(optimizer, "_weights", ()))


def _is_library(kind: Any) -> bool:
    return _LIBRARIES.match(getattr(kind, "__module__", None) or "") is not None


def _name(one: Any) -> str:
    """Return the library's class, and which of its methods the program has written."""
    kinds = type(one).__mro__
    library = next((kind for kind in kinds if _is_library(kind)), object).__name__
    own = {name for kind in kinds if not _is_library(kind) for name in vars(kind)}
    own |= {name for name, value in _attributes(one) if callable(value) and not _is_library(value)}
    methods = sorted(filter(_CALLED.fullmatch, own))
    return f"{library} with {', '.join(methods)} of the program's own" if methods else library


def _values(one: Any, deeper: bool = True) -> dict[str, str]:
    """Return the plain attributes that a library's class has, also those of its schedule."""
    found: dict[str, str] = {}
    if not _is_library(type(one)):  # those of the program are spelled as it likes
        return found
    for name, value in _attributes(one):
        if _is_plain(value):
            found[name] = repr(value)
        elif deeper and _HOLDS.search(f"{type(value).__module__}.{type(value).__name__}"):
            for inner, text in _values(value, deeper=False).items():
                found[f"{name}.{inner}"] = text
    return found


def _attributes(one: Any) -> Iterator[tuple[str, Any]]:
    given = getattr(one, "__dict__", {})
    # An optimizer of Keras 2 keeps its schedule among its numbers.
    yield from given.get("_hyper", {}).items()
    kept = (name for name in given if "name" not in name and name not in _OF_RELEASE)
    yield from ((name, given[name]) for name in kept)


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and len(value) <= _LONGEST and all(map(_is_plain, value))
    if isinstance(value, str):
        return _WORD.fullmatch(value) is not None
    return value is None or (isinstance(value, (bool, int, float)) and value < _CLOCK)
