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
"""

from __future__ import annotations

import struct
from bisect import bisect_left

from tfgpu.verify.memory.releases import Version, version_of

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
