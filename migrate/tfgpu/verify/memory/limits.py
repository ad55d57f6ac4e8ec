"""How much memory TensorFlow takes of a card: its three rules, to the byte.

They stand in `MinSystemMemory` of `tensorflow/core/common_runtime/gpu/gpu_device.cc`, as the
releases have it. TensorFlow takes what is free when it makes its device, less a reserve:

=============  =========================================================  ===================
releases       reserve                                                    below 2 GiB free
=============  =========================================================  ===================
1.3 to 2.1     5 % of what is free, in float64; 300 MiB at least          225 MiB
2.2 to 2.4     6 % of what is free, in float32; 300 MiB at least          255 MiB
2.5 to 2.21    500, 1050, 1536 MiB for compute capability to 6, 7, 8;     225 MiB
               1536 MiB above 8 too, 1800 MiB since 2.12
=============  =========================================================  ===================

Releases 1.15, 2.4 and 2.21 were run on the simulated driver and give the same to the byte; real
cards logged values of all three rules (`lines.csv`). When exactly the second rule began is not
known: no line tells 2.1 from 2.2.

What is free is less by what CUDA keeps for a process before the process has asked for anything: it
sets memory aside for the stacks of all threads that a card can hold at once, and loads the kernels
of the program; since CUDA 12.2 kernels are loaded when they are first used. So the size is a
constant and a part for each thread, both by the CUDA runtime (`releases.toml`).
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache

from tfgpu.verify.memory.releases import Version, tables, version_of

MIB = 1 << 20
_FLOAT32_RULE = Version(2, 2)
_FIXED_RULE = Version(2, 5)
_MORE_FROM_9 = Version(2, 12)
_SMALL = 1 << 31
_LEAST = 300 * MIB
# The allocator asks for multiples of this.
_CHUNK = 256
# What it asks for after a refusal: so much of it, in float32.
_LESS = 0.9
# Drivers hand out memory in units of this, so free memory is a multiple of it.
GRAIN = 64 * 1024
# Memory is handed out in units of this, in KiB.
_GRAIN = 64


def _float32(value: float) -> float:
    rounded: float = struct.unpack("f", struct.pack("f", value))[0]
    return rounded


def _times(size: int, factor: float) -> int:
    """Multiply as C++ does where the factor is a float32."""
    return int(_float32(_float32(size) * _float32(factor)))


def reserve(free: int, version: Version, compute_capability: str) -> int:
    """Return how many bytes of the free ones TensorFlow leaves where nothing is set."""
    if version < _FLOAT32_RULE:
        return 225 * MIB if free < _SMALL else max(_LEAST, int(free * 0.05))
    if version < _FIXED_RULE:
        return 255 * MIB if free < _SMALL else max(_LEAST, _times(free, 0.06))
    if free < _SMALL:
        return 225 * MIB
    major = version_of(compute_capability).major
    if major <= 6:
        return 500 * MIB
    if major <= 7:
        return 1050 * MIB
    return (1536 if major <= 8 or version < _MORE_FROM_9 else 1800) * MIB


def default_limit(free: int, version: Version, compute_capability: str) -> int:
    """Return the memory limit of a device for which nothing is set."""
    left = reserve(free, version, compute_capability)
    return free - left if left < free else free


def fraction_limit(total: int, fraction: float) -> int:
    """Return the limit that `per_process_gpu_memory_fraction` gives: a part of the total."""
    return int(total * fraction)


def free_of_limit(limit: int, version: Version, compute_capability: str) -> int | None:
    """Return the free memory, a multiple of 64 KiB, for which the default is this limit.

    None where there is none. Above and below 2 GiB free the same limit may come out: the smaller
    free memory is given.
    """
    edge = _SMALL // GRAIN
    for sizes in (range(limit // GRAIN, edge), range(edge, 2 * limit // GRAIN + edge)):

        def default(grains: int) -> int:
            return default_limit(grains * GRAIN, version, compute_capability)

        at = bisect_left(sizes, limit, key=default)
        if at < len(sizes) and default(sizes[at]) == limit:
            return sizes[at] * GRAIN
    return None


def attempts(limit: int, free: int) -> list[int]:
    """Return what the allocator asks the driver for when it takes all of its limit at once.

    After a refusal it asks for nine tenths, until something fits.
    """
    size = limit // _CHUNK * _CHUNK
    asked = [size]
    while size > free:
        size = -(-_times(size, _LESS) // _CHUNK) * _CHUNK
        asked.append(size)
    return asked


@dataclass(frozen=True, slots=True)
class Context:
    """The size of the contexts of a CUDA runtime, in KiB: see `releases.toml`."""

    base: int
    kepler: int
    threads: int
    growth: int

    def size(self, compute_capability: str, multiprocessors: int) -> int:
        """Return how many bytes a context takes on a card.

        `csrc/gpus.c` does the same, so it goes by whole numbers.
        """
        base = self.kepler if version_of(compute_capability).major == 3 else self.base
        threads = multiprocessors * threads_per_multiprocessor(compute_capability)
        kib = base + self.threads * (threads // 1024)
        return kib // _GRAIN * _GRAIN * 1024


def context_of(cuda: Version) -> Context:
    """Return how large contexts of a CUDA runtime are; of a newer one as of the newest known."""
    last = [version_of(row["cuda"]) for row in tables()["contexts"]]
    known = (found for upto, found in zip(last, contexts(), strict=True) if cuda <= upto)
    return next(known, contexts()[-1])


@cache
def contexts() -> tuple[Context, ...]:
    """Return how large contexts are, the oldest runtime first."""
    return tuple(
        Context(
            row["base"] * 1024,
            row.get("kepler", row["base"]) * 1024,
            round(row["threads"] * 1024),
            row["growth"] * 1024,
        )
        for row in tables()["contexts"]
    )


def threads_per_multiprocessor(compute_capability: str) -> int:
    """Return the same for one multiprocessor (NVIDIA's table of compute capabilities)."""
    version = version_of(compute_capability)
    if (version.major, version.minor) == (7, 5):
        return 1024
    newer = version.major == 8 and version.minor >= 6
    return 1536 if newer or version.major >= 12 else 2048
