"""Fits the size of CUDA's contexts to the lines of real cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import median

from tfgpu.verify.memory.limits import GRAIN, MIB, default_limit, threads_per_multiprocessor
from tfgpu.verify.memory.lines import Line, lines
from tfgpu.verify.memory.releases import Version


def size_of(line: Line) -> tuple[int, float]:
    """Return the threads of a line's card in 1024, and the size of the context in MiB."""
    card, release = line.simulated, line.release
    if card is None or release is None:
        raise ValueError(f"{line.card}: the card or the release is not known")
    free = line.limit
    while default_limit(free, release.version, line.compute_capability) < line.limit:
        free += GRAIN
    threads = card.multiprocessors * threads_per_multiprocessor(card.compute_capability)
    return threads // 1024, card.total_mib - free / MIB


def fit(first: Version, last: Version, kepler: bool) -> tuple[float, float, float]:
    """Return `base`, `threads` and `kepler` for the runtimes between two versions.

    The first two make the sum of the absolute differences least; such a line goes through two
    points. If `kepler` is true, Kepler cards get a base of their own, else they are like others.
    """
    marked = [
        line
        for line in lines()
        if line.use == "fit" and line.release and first <= line.release.cuda <= last
    ]
    own = [line for line in marked if kepler and line.compute_capability.startswith("3.")]
    base, threads = _fit([size_of(line) for line in marked if line not in own])
    rest = [size - threads * held for held, size in map(size_of, own)]
    return base, threads, median(rest) if rest else base


def _fit(points: Sequence[tuple[int, float]]) -> tuple[float, float]:
    candidates = [
        ((y - (slope := (z - y) / (b - a)) * a), slope)
        for (a, y), (b, z) in combinations(points, 2)
        if a != b
    ]
    return min((one for one in candidates if min(one) >= 0), key=lambda one: _sum(points, *one))


def _sum(points: Sequence[tuple[int, float]], base: float, slope: float) -> float:
    return sum(abs(size - base - slope * threads) for threads, size in points)
