"""A library that tfgpu does not read: most of it makes TensorFlow 2's eager context."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import TypeVar

import tensorflow.compat.v1 as tf  # type: ignore[import-untyped]

_Value = TypeVar("_Value")


def start(*_: object) -> None:
    tf.data.Dataset.range(2).map(lambda x: x)


def wrap(value: _Value) -> _Value:
    start()
    return value


@contextlib.contextmanager
def ready() -> Iterator[None]:
    start()
    yield


def call(function: Callable[[], _Value]) -> _Value:
    start()
    return function()


class Helper:
    def prepare(self) -> None:
        start()


class Base:
    def __init_subclass__(cls) -> None:
        start()


class Chooser:
    """It chooses a GPU, in methods that have the names of others of TensorFlow."""

    def apply_gradients(self) -> None:
        os.environ["CUDA_VISIBLE_DEVICES"] = "1"

    request_stop = apply_gradients


class Quiet:
    """It does nothing."""

    def prepare(self) -> None:
        pass


def local_rank() -> int:
    with tf.Session() as session:
        return len(session.list_devices())
