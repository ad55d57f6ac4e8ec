"""What CUDA_VISIBLE_DEVICES shows of the GPUs that a container has been given.

A container numbers its GPUs from 0, whatever they are on the machine.
"""

from __future__ import annotations

from collections.abc import Iterable

from tfgpu.dataclass import dataclass
from tfgpu.environment.devices import visible_devices
from tfgpu.environment.model import Setting, Way
from tfgpu.files.pattern import expression

_DEVICES = expression(r"\"?device=([^\"]*)\"?(?:,(?:capabilities|driver)=.*)?")
_LIST = expression(r"(?:\d+|(?:GPU|MIG)-[\w-]+)(?:,(?:\d+|(?:GPU|MIG)-[\w-]+))*")
# What says how many GPUs a container has; the first of these counts.
_REQUESTS = ("docker --gpus", "docker device_ids", "docker count", "nvidia.com/gpu")
_VARIABLE = "NVIDIA_VISIBLE_DEVICES"


@dataclass(frozen=True, slots=True)
class Missing:
    """A GPU that a container does not have: what gives it others, and what is visible then."""

    entry: str
    request: Setting
    count: int
    shown: tuple[str, ...]


def missing_devices(settings: Iterable[Setting]) -> dict[Setting, Missing]:
    """Return the settings of CUDA_VISIBLE_DEVICES with a number that their container has not."""
    containers: dict[tuple[str, int], list[Setting]] = {}
    for item in settings:
        if item.way in (Way.CONTAINER, Way.IMAGE, Way.REQUEST):
            containers.setdefault(_container(item), []).append(item)
    found = {}
    for items in containers.values():
        given = [item for name in (*_REQUESTS, _VARIABLE) for item in items if item.name == name]
        count = _count(given[0]) if given else None
        for item in items if count is not None else ():
            if item.name != "CUDA_VISIBLE_DEVICES" or item.value is None:
                continue
            ids = visible_devices(item.value).ids
            assert count is not None
            wrong = [index for index, name in enumerate(ids) if _is_beyond(name, count)]
            if wrong:
                found[item] = Missing(ids[wrong[0]], given[0], count, ids[: wrong[0]])
    return found


def _container(item: Setting) -> tuple[str, int]:
    """Return what tells a container: its place in a structure, an image, or a command."""
    return item.block.partition("|")[0], 0 if item.way is Way.IMAGE else item.step


def _is_beyond(name: str, count: int) -> bool:
    return name.isdigit() and (len(name) > 9 or int(name) >= count)


def _count(request: Setting) -> int | None:
    """Return how many GPUs a container is given, where that is a number or a list."""
    value = request.value or ""
    if request.name in ("docker --gpus", "docker count", "nvidia.com/gpu"):
        number = value.removeprefix("count=")
        if number.isdigit() and len(number) < 4:
            return int(number)
        devices = _DEVICES.fullmatch(value) if request.name == "docker --gpus" else None
        value = devices[1] if devices is not None else ""
    return value.count(",") + 1 if _LIST.fullmatch(value) else None
