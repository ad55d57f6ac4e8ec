"""What Horovod does with tensors and optimizers: here they are left as they are."""

from __future__ import annotations

import importlib
from typing import Any

Average = "Average"
Sum = "Sum"
Adasum = "Adasum"


def init(*_: Any, **__: Any) -> None:
    """Do nothing: there is one process."""


shutdown = init


def is_initialized() -> bool:
    """Return that it is."""
    return True


def is_built(*_: Any, **__: Any) -> bool:
    """Return that a way to communicate is there."""
    return True


mpi_built = gloo_built = nccl_built = mpi_enabled = gloo_enabled = mpi_threads_supported = is_built


def same(value: Any, *_: Any, **__: Any) -> Any:
    """Return the first argument."""
    return value


allreduce = grouped_allreduce = allgather = broadcast = alltoall = reducescatter = same
broadcast_object = allgather_object = same
DistributedOptimizer = DistributedGradientTape = same


def broadcast_variables(*_: Any, **__: Any) -> Any:
    """Return an operation that does nothing."""
    tensorflow: Any = importlib.import_module("tensorflow.compat.v1")
    return tensorflow.no_op()


broadcast_global_variables = broadcast_variables


class Compression:
    """The ways to compress gradients."""

    none = "none"
    fp16 = "fp16"


def __getattr__(name: str) -> Any:
    if name == "BroadcastGlobalVariablesHook":
        tensorflow: Any = importlib.import_module("tensorflow.compat.v1")

        class BroadcastGlobalVariablesHook(tensorflow.train.SessionRunHook):  # type: ignore[misc]
            """A hook that does nothing."""

            def __init__(self, *_: Any, **__: Any) -> None:
                super().__init__()

        return BroadcastGlobalVariablesHook
    raise AttributeError(f"the stand-in for Horovod has no {name}")
