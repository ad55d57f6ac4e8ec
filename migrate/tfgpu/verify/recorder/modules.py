"""The modules of the TensorFlow that the program imports, and its eager context."""

from __future__ import annotations

import importlib
import sys
from typing import Any

# What makes and runs functions; the second names are those of older versions.
FUNCTIONS = ("eager.polymorphic_function.polymorphic_function", "eager.def_function")
CONCRETE_FUNCTIONS = ("eager.polymorphic_function.concrete_function", "eager.function")


def module_of(*names: str) -> Any:
    """Return a module below `tensorflow.python`, the first of some that there is.

    Raises:
        ImportError: there is none of them.
    """
    *others, last = names
    for name in others:
        try:
            return importlib.import_module(f"tensorflow.python.{name}")
        except ImportError:
            continue
    return importlib.import_module(f"tensorflow.python.{last}")


def live_context() -> Any:
    """Return the eager context if it has been initialised: asking must not initialise the GPUs."""
    module: Any = sys.modules.get("tensorflow.python.eager.context")
    context = module.context_safe() if module and hasattr(module, "context_safe") else None
    return context if context is not None and context._context_handle is not None else None
