"""Horovod's callbacks: they do nothing."""

from typing import Any

from ...keras import callbacks


def __getattr__(name: str) -> Any:
    return getattr(callbacks, name)
