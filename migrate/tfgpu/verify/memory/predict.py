"""How much memory TensorFlow takes of a card that is not at hand: by formulas, nothing is run.

Also how well a simulated card is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tfgpu.verify.memory.limits import MIB, attempts, context_of, default_limit, fraction_limit
from tfgpu.verify.memory.lines import Line, lines
from tfgpu.verify.memory.releases import Release, UnknownRelease, Version, find_release, version_of
from tfgpu.verify.simgpu.cards import Card, find_card
from tfgpu.verify.simgpu.gpus import Gpu

# A growing device begins with this and doubles. Measured on 1.15 and from 2.12 on.
_FIRST = MIB
_FIRST_SINCE = (Version(2, 5), 2 * MIB)
_UNIFIED_FROM = 6
# A line confirms a card where the memory that TensorFlow took comes out this near to it.
_NEAR = 0.01

ESTIMATED = "estimated"


class Impossible(ValueError):
    """There is no such setting, or not on this card."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a program sets: a fraction of the total, a limit in MiB, or neither; and growth."""

    fraction: float | None = None
    limit_mib: int | None = None
    growth: bool = False

    @property
    def words(self) -> str:
        """The setting in words."""
        if self.fraction is not None:
            what = f"fraction {self.fraction:g}"
        elif self.limit_mib is not None:
            what = f"limit of {self.limit_mib} MiB"
        else:
            what = "nothing set"
        return f"{what}, growth" if self.growth else what


@dataclass(frozen=True, slots=True)
class Prediction:
    """What becomes of a card's memory; sizes in bytes.

    `free` is what is left of the card by others and by TensorFlow's own context. `asked` is what
    the driver is asked for at first: all at once, again with less where it refuses, or the first
    piece of a growing device. `taken` is what it gives of that, `most` what it gives in the end.
    """

    gpu: Gpu
    release: Release
    setting: Setting
    confidence: str
    kernels: str
    total: int
    others: int
    context: int
    free: int
    limit: int
    asked: Sequence[int]
    taken: int
    most: int
    unified: bool

    @property
    def left(self) -> int:
        """What other processes can still have, at most."""
        return max(self.free - self.most, 0)

    @property
    def left_for_tensorflow(self) -> int:
        """What a second TensorFlow of this release can still have: it needs a context, too."""
        return max(self.left - self.context, 0)


def predict(gpu: Gpu, release: Release, setting: Setting) -> Prediction:
    """Predict the memory of one device on a card.

    Raises:
        Impossible: the setting is no possible one; the message says what is.
    """
    total, others = int(gpu.total_mib * MIB), int(gpu.used_mib * MIB)
    context = _context(gpu, release)
    free = total - others - context
    if free <= 0:
        most = (total - context) // MIB
        raise Impossible(
            f"{gpu.name}: {others // MIB} MiB in use leave no room for a CUDA context of "
            f"{context // MIB} MiB in {total // MIB} MiB; "
            + (f"less than {most} MiB can be in use" if most > 0 else "a larger card is needed")
        )
    limit = _limit(gpu, release, setting, total, free)
    unified = (setting.fraction or 0) > 1
    if setting.growth:
        since, more = _FIRST_SINCE
        asked = [min(more if release.version >= since else _FIRST, limit)]
        taken, most = (asked[0], limit) if unified else (min(asked[0], free), min(limit, free))
    else:
        asked = [limit] if unified else attempts(limit, free)
        taken = most = asked[-1]
    kernels = release.kernels_for(gpu.compute_capability)
    return Prediction(
        gpu, release, setting, confidence(gpu), kernels, total, others, context, free, limit,
        asked, taken, most, unified,
    )  # fmt: skip


def _context(gpu: Gpu, release: Release) -> int:
    if gpu.overhead_mib is not None:
        return int(gpu.overhead_mib * MIB)
    return context_of(release.cuda).size(gpu.compute_capability, gpu.multiprocessors)


def _limit(gpu: Gpu, release: Release, setting: Setting, total: int, free: int) -> int:
    fraction, limit = setting.fraction, setting.limit_mib
    if fraction is not None and limit is not None:
        raise Impossible("a fraction and a limit exclude each other: give one of them")
    if limit is not None:
        if not 0 < limit * MIB <= total:
            most = total // MIB
            raise Impossible(f"a limit of {limit} MiB: {gpu.name} has 1 to {most} MiB")
        return limit * MIB
    if fraction is not None:
        # NaN is not above 0, either.
        if not 0 < fraction < float("inf"):
            raise Impossible(f"a fraction of {fraction:g}: it is above 0, and 1.0 is all of a card")
        if fraction > 1 and version_of(gpu.compute_capability).major < _UNIFIED_FROM:
            raise Impossible(
                f"a fraction of {fraction:g} needs unified memory, which cards have from compute "
                f"capability 6.0 on; {gpu.name} has {gpu.compute_capability}: at most 1.0"
            )
        return fraction_limit(total, fraction)
    return default_limit(free, release.version, gpu.compute_capability)


def confirming(card: Card) -> list[Line]:
    """Return the lines of a real card that the simulated one gives within 1 %."""
    return [line for line in lines() if line.simulated == card and _confirms(line)]


def _confirms(line: Line) -> bool:
    taken = line.by_card()
    # A limit in MB says nothing of the card.
    telling = taken is not None and not line.setting.startswith("memory_limit")
    return telling and abs((taken or 0) - line.limit) <= _NEAR * line.limit


def confidence_of_card(card: Card) -> str:
    """Return "confirmed by n lines", "published" or "estimated"."""
    count = len(confirming(card))
    if count:
        return f"confirmed by {count} line{'s' if count > 1 else ''}"
    return "published" if card.published else ESTIMATED


def confidence(gpu: Gpu) -> str:
    """Return the same for a GPU as described; one that is no real card is estimated."""
    card = find_card(gpu.name)
    as_it_is = card is not None and (
        (gpu.total_mib, gpu.compute_capability) == (card.total_mib, card.compute_capability)
        and gpu.overhead_mib is None
    )
    return confidence_of_card(card) if card is not None and as_it_is else ESTIMATED


def without_kernels(gpus: Sequence[Gpu], version: str) -> list[str]:
    """Say of which GPUs a TensorFlow has no kernels: simulated ones work, real ones would not."""
    try:
        release = find_release(version)
    except UnknownRelease:
        return []
    names = dict.fromkeys(
        f"{gpu.name} (compute capability {gpu.compute_capability})"
        for gpu in gpus
        if not release.kernels_for(gpu.compute_capability)
    )
    return [
        f"TensorFlow {release.version} has no kernels for {name}: on a real one the first "
        "operation fails"
        for name in names
    ]
