"""Notes what a program saves: where, behind how much training, and what is in its checkpoints.

Which files there are at the end is seen from outside; this tells when each was written that is
likely to hold what was trained.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

# Files with weights, arrays and graphs, as Python opens them; TensorFlow writes its own ones.
_SUFFIXES = (".h5", ".hdf5", ".keras", ".npy", ".npz", ".pkl", ".pickle", ".joblib", ".pb")

# So many saves are noted, and so many variables of each.
_MOST_SAVES = 200
_MOST_VARIABLES = 2_000


class Saves:
    """Watches the saves of one leg."""

    def __init__(self, observer: Any) -> None:
        self._observer = observer
        self._count = 0
        self._inside = False
        if hasattr(sys, "addaudithook"):  # since Python 3.8
            sys.addaudithook(self._audited)

    def watch(self) -> None:
        """Watch what TensorFlow saves."""
        saver = importlib.import_module("tensorflow.python.training.saver").Saver
        _around(saver, "save", lambda _, path: self._saved(path))
        for name in ("checkpoint.functional_saver", "training.saving.functional_saver"):
            with contextlib.suppress(ImportError, AttributeError):
                module = importlib.import_module(f"tensorflow.python.{name}")
                _around(module.MultiDeviceSaver, "save", lambda args, _: self._saved(args[1]))
                break

    def _audited(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event != "open" or self._inside or not isinstance(arguments[0], str):
            return
        writes = isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if writes and arguments[0].endswith(_SUFFIXES):
            self._note(arguments[0], [])

    def _saved(self, path: Any) -> None:
        """Note a checkpoint; its path may be a tensor."""
        with contextlib.suppress(Exception):  # a tensor of a graph; a path that has gone
            if path is None:  # nothing was written
                return
            if hasattr(path, "numpy"):
                path = path.numpy()
            whole = path.decode() if isinstance(path, bytes) else str(path)
            self._note(whole, self._variables(whole))

    def _note(self, path: str, variables: list[str]) -> None:
        if self._count >= _MOST_SAVES or self._observer.is_trial:
            return
        self._count += 1
        first = threading.current_thread() is threading.main_thread()
        self._inside = True
        try:
            self._observer.stream.write(
                "saved",
                path=os.path.abspath(path),
                behind=self._observer.steps.progress() if first else None,
                variables=variables,
            )
        finally:
            self._inside = False

    def _variables(self, prefix: str) -> list[str]:
        """Return type and shape of the variables in a checkpoint; let their numbers be noted."""
        module = importlib.import_module("tensorflow.python.training.py_checkpoint_reader")
        reader = module.NewCheckpointReader(prefix)
        types = reader.get_variable_to_dtype_map()
        found = []
        for name, shape in sorted(reader.get_variable_to_shape_map().items())[:_MOST_VARIABLES]:
            if types[name].name == "string":
                continue  # what objects it has, no variable
            found.append(f"{types[name].name}[{','.join(map(str, shape))}]")
            if self._observer.numbers:
                self._observer.numbers.saved(name, reader.get_tensor(name))
        return sorted(found)


def _around(kind: Any, name: str, then: Callable[[tuple[Any, ...], Any], Any]) -> None:
    """Call a function with the arguments and the result of a method, each time."""
    method = getattr(kind, name)

    def called(*args: Any, **given: Any) -> Any:
        result = method(*args, **given)
        then(args, result)
        return result

    setattr(kind, name, called)
