"""Horovod's callbacks: they do nothing."""

from __future__ import annotations

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    if not name.endswith("Callback"):
        raise AttributeError(f"the stand-in for Horovod has no {name}")
    tensorflow: Any = importlib.import_module("tensorflow")

    def init(self: Any, *_: Any, **__: Any) -> None:
        super(made, self).__init__()

    made: Any = type(name, (tensorflow.keras.callbacks.Callback,), {"__init__": init})
    return made
