"""What a leg shows from inside its process: devices, effective configuration, thread pools."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

from migrate.verify.workload import place_on_missing_device, run_on_devices

# TensorFlow's own line for each GPU that it creates; the only place that names the physical GPU.
_CREATED = re.compile(
    r"Created device /job:\S*?/device:(GPU:\d+) with (\d+) MB memory: "
    r".*?pci bus id: ([0-9A-Fa-f:.]+)"
)


def created_devices(log: str) -> list[list[str]]:
    """Return name, MB and bus id of each GPU that TensorFlow says it created, each once."""
    found = {match.groups() for match in _CREATED.finditer(log)}
    return sorted(list(entry) for entry in found)


def observe_session(v1: Any, session: Any) -> dict[str, Any]:
    """Put a session to work and return what it shows."""
    seen: dict[str, Any] = {"config": effective_config(session)}
    seen["devices"] = [
        [device.name.rpartition("/device:")[2], device.device_type, device.memory_limit_bytes]
        for device in session.list_devices()
    ]
    try:
        run_on_devices(v1, session)
        seen["work"] = "ok"
    except v1.errors.OpError as error:
        seen["work"] = f"{type(error).__name__}: {str(error)[:300]}"
    seen["missing device"] = place_on_missing_device(v1, session)
    seen["threads"] = dict(sorted(thread_names().items()))
    return seen


def effective_config(session: Any) -> dict[str, str]:
    """Return the fields of the ConfigProto that a session uses, without those that name GPUs.

    A session without a config takes that of the process (`tf.config`), which lists the GPUs and
    repeats GPU options for plug-in devices; those show in the devices and the allocations instead.
    """
    proto = type(session._config)()
    proto.CopyFrom(session._config)
    for name in ("gpu_options", "device_count", "pluggable_device_options"):
        if name in proto.DESCRIPTOR.fields_by_name:
            proto.ClearField(name)
    return dict(_leaves(proto, ""))


def _leaves(message: Any, prefix: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for descriptor, value in message.ListFields():
        path = f"{prefix}{descriptor.name}"
        if descriptor.type == descriptor.TYPE_MESSAGE and not _repeated(value):
            found.extend(_leaves(value, f"{path}."))
        else:
            found.append((path, str(value)))
    return found


def _repeated(value: Any) -> bool:
    return not hasattr(value, "ListFields")


def thread_names() -> Counter[str]:
    """Count this process's threads by name: `tf_Compute` is the pool between operations."""
    names: Counter[str] = Counter()
    for task in Path("/proc/self/task").iterdir():
        try:
            names[re.sub(r"\d+$", "", (task / "comm").read_text().strip())] += 1
        except OSError:  # the thread has ended
            continue
    return names
