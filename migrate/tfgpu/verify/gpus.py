"""Which GPUs the legs run on: those of this machine, or simulated ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tfgpu.verify.memory.predict import confidence
from tfgpu.verify.nvml import RealGpu, real_gpus
from tfgpu.verify.simgpu.gpus import PREFIX, Gpu, SpecError, parse_gpus, text_of

# What most programs of the TensorFlow 1 era were written for.
DEFAULT = "sim:4x16GiB"


@dataclass(frozen=True, slots=True)
class Machine:
    """The GPUs to run on: `simulated` ones, or the `real` ones where that is None."""

    simulated: Sequence[Gpu] | None
    real: Sequence[RealGpu]

    @property
    def description(self) -> str:
        """The cards in words, such as "2 x Tesla T4, 15109 MiB"; simulated ones with how well they
        are known.
        """
        if self.simulated is None:
            kinds = Counter(f"{gpu.name}, {gpu.total // 2**20} MiB" for gpu in self.real)
        else:
            kinds = Counter(
                f"{gpu.name}, {int(gpu.total_mib)} MiB ({confidence(gpu)})"
                for gpu in self.simulated
            )
        return "; ".join(f"{count} x {words}" for words, count in kinds.items()) or "none"

    @property
    def count(self) -> int:
        """How many GPUs there are."""
        return len(self.real if self.simulated is None else self.simulated)

    @property
    def is_empty(self) -> bool:
        """Whether there are no GPUs."""
        return not self.count

    @property
    def name(self) -> str:
        """The cards as `--gpus` takes them, where they are simulated."""
        if self.is_empty:
            return "no GPU"
        return text_of(self.simulated) if self.simulated else self.description


def choose(text: str) -> Machine:
    """Return the GPUs that a text means: `auto`, `real`, or a description such as `sim:2xT4`.

    `auto` takes the real GPUs of this machine where there are any, else four simulated ones.

    Raises:
        SpecError: it means nothing, or there are no real GPUs.
    """
    if text == "auto":
        real = real_gpus()
        return Machine(None, real) if real else Machine(parse_gpus(DEFAULT), ())
    if text == "real":
        real = real_gpus()
        if not real:
            raise SpecError(
                "there are no real GPUs here, or nvidia-ml-py, which finds them, is not installed "
                "(pip install 'tfgpu[verify]')"
            )
        return Machine(None, real)
    if not text.startswith(PREFIX):
        raise SpecError(f"{text!r} is none of auto, real, sim:2, sim:4x16GiB, sim:2xT4")
    return Machine(parse_gpus(text), ())
