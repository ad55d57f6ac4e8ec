"""A little work for a session that is looked at before its program puts it to work.

It is the same on both legs: what it allocates, and whether the placer accepts it, depends on the
configuration alone.
"""

from __future__ import annotations

from typing import Any

_SIZE = 1024  # a matrix of 4 MiB


def run_on_devices(v1: Any, session: Any) -> None:
    """Multiply matrices on every GPU that the session has, or on the CPU without one."""
    devices = [device.name for device in session.list_devices() if device.device_type == "GPU"]
    with session.graph.as_default():
        results = [_multiply(v1, name) for name in devices or ["/device:CPU:0"]]
    for result in results:
        session.run(result)


def _multiply(v1: Any, device: str) -> Any:
    with v1.device(device):
        first = v1.random.uniform([_SIZE, _SIZE])
        second = v1.matmul(first, first)
        return v1.reduce_sum(v1.matmul(first, second) + second)


def place_on_missing_device(v1: Any, session: Any, observer: Any) -> None:
    """Ask for a GPU that no machine has: what happens shows whether soft placement is on."""
    with session.graph.as_default(), v1.device("/device:GPU:63"):
        result = v1.random.uniform([2], name="on_missing_device") + 1.0
    try:
        session.run(result)
    except v1.errors.InvalidArgumentError:
        title = session._tfgpu_title
        refused = ["on_missing_device", "RandomUniform", "refused"]
        observer.operations(title, False, [refused])
