"""Logical devices as TensorFlow itself describes them: limits, cards, use of their memory.

TensorFlow's allocators and its map from logical devices to cards belong to the process, not to a
session. So a list or a context made beside a session, of the same config, shows the session's own;
it calls the driver for nothing that is not there yet.
"""

from __future__ import annotations

import contextlib
import importlib
import re
from typing import Any

_BUS = re.compile(r"pci bus id: ([0-9A-Fa-f:.]+)")
_FIRST_TASK = re.compile(r"^(/job:\w+/replica:0/task:0)?/device:")


def short_name(name: str) -> str:
    """Return the name of a device without what is the same for all of one process."""
    return _FIRST_TASK.sub("", name)


def described(config: Any) -> list[list[Any]]:
    """Return name, memory limit and the bus id of its card for each device of a config."""
    library: Any = importlib.import_module("tensorflow.python.client.device_lib")
    found = []
    for device in library.list_local_devices(config):
        bus = _BUS.search(device.physical_device_desc)
        limit = device.memory_limit
        found.append([short_name(device.name), limit, bus.group(1) if bus else ""])
    return found


def allocator_statistics(config: Any) -> dict[str, dict[str, int]]:
    """Return bytes in use, now and at most, of each GPU that a config has made.

    Nothing where TensorFlow does not tell (before 2.5), or the allocator does not count.
    """
    with contextlib.suppress(ImportError, AttributeError):
        tfe: Any = importlib.import_module("tensorflow.python.pywrap_tfe")
        ask, options = tfe.TFE_GetMemoryInfo, tfe.TFE_NewContextOptions()
        tfe.TFE_ContextOptionsSetConfig(options, config.SerializeToString())
        context = tfe.TFE_NewContext(options)
        found = {}
        for name in (name for name, _, bus in described(config) if bus):
            with contextlib.suppress(ValueError):  # an allocator without any (cuda_malloc)
                found[name] = {key: int(n) for key, n in ask(context, name).items()}
        return found
    return {}


def bytes_of_results(statistics: Any) -> dict[str, int]:
    """Return the size of all that the operations of a traced run put out, for each GPU.

    The order of operations, which is chance where they run side by side, does not change it.
    """
    found: dict[str, int] = {}
    for device in statistics.dev_stats:
        name = short_name(device.device)
        for node in device.node_stats:
            for output in node.output:
                allocation = output.tensor_description.allocation_description
                if allocation.allocator_name.startswith("GPU_"):
                    found[name] = found.get(name, 0) + allocation.requested_bytes
    return found
