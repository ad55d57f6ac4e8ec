"""The real GPUs of this machine, through NVML: what there are, and what a leg takes of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from tfgpu.verify.observation import GpuMemory

# How often memory is looked at, in seconds: short against the growth of a training's memory.
_PERIOD = 0.02


@dataclass(frozen=True, slots=True)
class RealGpu:
    """One card: its place in the order of the PCI bus, its bus id as CUDA spells it, bytes."""

    index: int
    name: str
    bus: str
    total: int


def _nvml() -> ModuleType | None:
    """Return the initialised library, None without nvidia-ml-py or without a driver."""
    try:
        import pynvml  # noqa: PLC0415 - optional, from nvidia-ml-py
    except ImportError:
        return None
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return None
    module: ModuleType = pynvml
    return module


def real_gpus() -> list[RealGpu]:
    """Return the NVIDIA GPUs of this machine; none where they cannot be asked for."""
    nvml: Any = _nvml()
    if nvml is None:
        return []
    found = []
    for index in range(nvml.nvmlDeviceGetCount()):
        handle = nvml.nvmlDeviceGetHandleByIndex(index)
        bus = _text(nvml.nvmlDeviceGetPciInfo(handle).busId).lower()
        # NVML writes the domain with eight digits, CUDA with four.
        bus = bus[4:] if len(bus.partition(":")[0]) == 8 else bus
        total = nvml.nvmlDeviceGetMemoryInfo(handle).total
        found.append(RealGpu(index, _text(nvml.nvmlDeviceGetName(handle)), bus, total))
    return found


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


@dataclass(frozen=True, slots=True)
class _Sample:
    """The bytes taken of each card, by its index, and when they were asked for."""

    begun: float
    ended: float
    used: Mapping[int, int]


@dataclass(slots=True)
class Sampler:
    """Samples, while it is open, how much memory of each card is taken beyond what was at first.

    Other programs on the same cards are counted too: NVML does not tell them apart in containers.
    """

    gpus: Sequence[RealGpu]
    _samples: list[_Sample] = field(default_factory=list)
    _first: dict[int, int] = field(default_factory=dict)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> Sampler:
        nvml: Any = _nvml()
        handles = {gpu.index: nvml.nvmlDeviceGetHandleByIndex(gpu.index) for gpu in self.gpus}
        self._first = {
            index: nvml.nvmlDeviceGetMemoryInfo(handle).used for index, handle in handles.items()
        }
        self._thread = threading.Thread(target=self._sample, args=(nvml, handles), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread:
            self._thread.join()

    def _sample(self, nvml: Any, handles: dict[int, Any]) -> None:
        while not self._stop.wait(_PERIOD):
            begun = time.monotonic()
            used = {
                index: max(nvml.nvmlDeviceGetMemoryInfo(handle).used - self._first[index], 0)
                for index, handle in handles.items()
            }
            self._samples.append(_Sample(begun, time.monotonic(), used))

    def memory(self, without: Sequence[tuple[float, float]]) -> list[GpuMemory]:
        """Return what was seen of each card that the leg took memory of.

        What was seen in the times `without` (begin and end, in seconds of the monotonic clock) is
        left out.
        """
        counted = [
            one
            for one in self._samples
            if not any(one.begun <= end and begun <= one.ended for begun, end in without)
        ]
        curves = {gpu.index: [one.used[gpu.index] for one in counted] for gpu in self.gpus}
        return [
            GpuMemory(
                gpu.index,
                gpu.bus,
                gpu.total,
                gpu.total - self._first[gpu.index],
                (),
                curves[gpu.index],
                max(curves[gpu.index]),
            )
            for gpu in self.gpus
            if any(curves[gpu.index])
        ]
