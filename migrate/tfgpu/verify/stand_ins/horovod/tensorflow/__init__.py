"""Horovod for TensorFlow."""

from typing import Any

from .. import operations
from ..operations import *  # noqa: F403
from ..ranks import *  # noqa: F403


def __getattr__(name: str) -> Any:
    return getattr(operations, name)
