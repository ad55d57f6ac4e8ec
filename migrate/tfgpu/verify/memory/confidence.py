"""How well a simulated card is known."""

from __future__ import annotations

from collections.abc import Sequence

from tfgpu.verify.memory.lines import Line, lines
from tfgpu.verify.memory.releases import UnknownRelease, find_release
from tfgpu.verify.simgpu.cards import Card, find_card
from tfgpu.verify.simgpu.gpus import Gpu

# A line confirms a card where the memory that TensorFlow took comes out this near to it.
_NEAR = 0.01

ESTIMATED = "estimated"


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
