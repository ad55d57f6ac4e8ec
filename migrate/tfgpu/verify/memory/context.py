"""What CUDA keeps of a card for a process, before the process has asked for anything.

CUDA sets memory aside for the stacks of all threads that a card can hold at once, and loads the
kernels of the program; since CUDA 12.2 kernels are loaded when they are first used. So the size is
a constant and a part for each thread, both by the CUDA runtime (`releases.toml`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tfgpu.verify.memory.releases import Version, tables, version_of

# Memory is handed out in units of this, in KiB.
_GRAIN = 64


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
