"""The GPUs of a simulation: cards from `cards.toml`, and the texts that describe a machine.

    sim:2                   two GPUs of 16 GiB (a V100's figures)
    sim:4x16GiB             four
    sim:16GiB,8GiB          two that differ
    sim:2xT4                two T4
    sim:T4(used=4GiB)       one, on which other processes hold 4 GiB
    sim:2x16GiB(cc=8.0)     compute capability 8.0

Sizes are MiB or GiB. The order is that of the PCI bus.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from tfgpu.verify.memory.limits import contexts
from tfgpu.verify.simgpu.cards import Card, catalogue, find_card, nearest

PREFIX = "sim:"
MAX_GPUS = 64
# Sizes of a GPU in MiB. Less has no room for anything; no card comes near to more.
_LEAST, _MOST = 16, 1024 * 1024
_SIZE = re.compile(r"(\d+(?:\.\d+)?)(MiB|GiB)")
_GROUP = re.compile(r"(?:(\d+)x)?([^()]+?)(?:\(([^()]*)\))?")


class SpecError(ValueError):
    """The text that describes the GPUs is wrong."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU: sizes in MiB, clocks in MHz, bus width in bits, cache in KiB.

    `overhead_mib` is what a CUDA context takes; None where the CUDA runtime decides, as on the
    cards that there are. GPUs that are only a size keep a round figure.
    """

    name: str = "Simulated GPU"
    total_mib: float = 16384
    used_mib: float = 0
    overhead_mib: float | None = 300
    compute_capability: str = "7.0"
    multiprocessors: int = 80
    clock_mhz: int = 1530
    memory_clock_mhz: int = 877
    bus_width: int = 4096
    l2_kib: int = 6144
    pci: str = ""

    @property
    def context_mib(self) -> float:
        """What a context takes, at most where the CUDA runtime decides."""
        if self.overhead_mib is not None:
            return self.overhead_mib
        sizes = (one.size(self.compute_capability, self.multiprocessors) for one in contexts())
        return max(sizes) / (1 << 20)


@cache
def cards() -> Mapping[str, Gpu]:
    """Return the real cards that can be named, by their short name."""
    return {key: _gpu(card) for key, card in catalogue().items()}


def _gpu(card: Card) -> Gpu:
    return Gpu(
        card.name, card.total_mib, 0, None, card.compute_capability, card.multiprocessors,
        card.clock_mhz, card.memory_clock_mhz, card.bus_width, card.l2_kib,
    )  # fmt: skip


def parse_gpus(text: str) -> list[Gpu]:
    """Read a description such as `sim:2xT4`; the `sim:` in front may be missing.

    Raises:
        SpecError: it cannot be read; the message says what can.
    """
    body = text.strip().removeprefix(PREFIX)
    gpus: list[Gpu] = []
    for group in _split(body):
        gpus.extend(_group(group, text))
    if len(gpus) > MAX_GPUS:
        raise SpecError(f"{text!r} describes {len(gpus)} GPUs; {MAX_GPUS} are the most")
    return gpus


def text_of(gpus: Sequence[Gpu]) -> str:
    """Return the text that describes GPUs, as `parse_gpus` reads it; there is at least one."""
    groups = [(card, len(list(alike))) for card, alike in groupby(map(_text_of_one, gpus))]
    return PREFIX + ",".join(
        card if number == 1 and len(groups) > 1 else f"{number}x{card}" for card, number in groups
    )


def _text_of_one(gpu: Gpu) -> str:
    same = (name for name, card in cards().items() if card.name == gpu.name)
    name = next(same, "")
    card = cards()[name] if name else Gpu(total_mib=gpu.total_mib)
    options = [
        f"{key}={value if isinstance(value, str) else size_text(value)}"
        for key, value, usual in (
            ("total", gpu.total_mib, card.total_mib),
            ("used", gpu.used_mib, card.used_mib),
            ("overhead", gpu.overhead_mib, card.overhead_mib),
            ("cc", gpu.compute_capability, card.compute_capability),
        )
        if value != usual and value is not None
    ]
    text = name or size_text(gpu.total_mib)
    return f"{text}({', '.join(options)})" if options else text


def size_text(mib: float) -> str:
    """Return a size in the unit that gives a whole number, as descriptions have it."""
    return f"{mib / 1024:g}GiB" if mib % 1024 == 0 else f"{mib:.10g}MiB"


def environment(gpus: list[Gpu]) -> str:
    """Return the value of TFGPU_SIM_GPUS for these GPUs."""
    return ";".join(
        "|".join(f"{key}={value}" for key, value in _fields(gpu).items() if value not in ("", None))
        for gpu in gpus
    )


def _fields(gpu: Gpu) -> dict[str, object]:
    return {
        "name": gpu.name,
        "total": gpu.total_mib,
        "used": gpu.used_mib,
        "overhead": gpu.overhead_mib,
        "cc": gpu.compute_capability,
        "sms": gpu.multiprocessors,
        "clock": gpu.clock_mhz,
        "memclock": gpu.memory_clock_mhz,
        "bus": gpu.bus_width,
        "l2": gpu.l2_kib,
        "pci": gpu.pci,
    }


def _split(body: str) -> list[str]:
    """Split at commas outside parentheses."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", body)]


def _group(group: str, text: str) -> list[Gpu]:
    if group.isdigit():
        return [Gpu()] * int(group)
    match = _GROUP.fullmatch(group)
    if not match:
        raise SpecError(_message(group, text))
    count, what, options = match.groups()
    gpu = _one(what.strip(), group, text)
    for option in filter(None, (part.strip() for part in (options or "").split(","))):
        gpu = _option(gpu, option, text)
    if gpu.used_mib >= gpu.total_mib:
        raise SpecError(
            f"{text!r}: others use {size_text(gpu.used_mib)} of a GPU of {size_text(gpu.total_mib)}"
        )
    return [gpu] * int(count or 1)


def _one(what: str, group: str, text: str) -> Gpu:
    size = _SIZE.fullmatch(what)
    if size:
        return Gpu(total_mib=_total(what, text))
    card = find_card(what)
    if card:
        return cards()[card.key]
    raise SpecError(_message(group, text, nearest(what)))


def _option(gpu: Gpu, option: str, text: str) -> Gpu:
    key, equals, value = (part.strip() for part in option.partition("="))
    if equals and key == "used":
        return replace(gpu, used_mib=_mib(value, text))
    if equals and key == "total":
        return replace(gpu, total_mib=_total(value, text))
    if equals and key == "overhead":
        return replace(gpu, overhead_mib=_mib(value, text))
    if equals and key == "cc" and re.fullmatch(r"\d+\.\d", value):
        return replace(gpu, compute_capability=value)
    raise SpecError(
        f"{text!r}: {option!r} is none of used=4GiB, total=16GiB, overhead=300MiB, cc=7.5"
    )


def _mib(value: str, text: str) -> float:
    size = _SIZE.fullmatch(value)
    if not size:
        raise SpecError(f"{text!r}: {value!r} is no size such as 16GiB or 900MiB")
    return float(size.group(1)) * (1024 if size.group(2) == "GiB" else 1)


def _total(value: str, text: str) -> float:
    size = _mib(value, text)
    if not _LEAST <= size <= _MOST:
        raise SpecError(
            f"{text!r}: a GPU of {value}; possible are {_LEAST}MiB to {_MOST // 1024}GiB"
        )
    return size


def _message(group: str, text: str, near: str = "") -> str:
    hint = f" (did you mean {near}?)" if near else ""
    where = "" if group == text else f"{text!r}: "
    return (
        f"{where}{group!r} is no number of GPUs, no size such as 16GiB and no known card{hint}; "
        f"tfgpu simulate --cards lists {len(cards())}; "
        "examples: sim:2, sim:4x16GiB, sim:2xT4, sim:T4(used=4GiB)"
    )
