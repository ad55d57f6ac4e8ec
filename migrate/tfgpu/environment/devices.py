"""What CUDA makes of CUDA_VISIBLE_DEVICES.

As NVIDIA describes it: entries are numbers or UUIDs; the first invalid one ends the list, and one
that comes twice leaves nothing. Numbers are read as C's strtoul does: blanks in front of them and
letters after them do not matter.
"""

from __future__ import annotations

from tfgpu.dataclass import dataclass
from tfgpu.files.pattern import expression

_NUMBER = expression(r"\s*([+-]?[0-9]+)")
_UUID = expression(r"(GPU|MIG)-")


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices that a value names, in order; the entry that ended the list or came twice.

    `odd` are entries of which only the number in front counts.
    """

    ids: tuple[str, ...]
    ended_by: str | None = None
    twice: str | None = None
    odd: tuple[str, ...] = ()


def visible_devices(value: str) -> Devices:
    """Return the devices that CUDA shows under a value of CUDA_VISIBLE_DEVICES."""
    if not value.strip():
        return Devices(())
    ids: list[str] = []
    odd: list[str] = []
    prefix = _UUID.match(value.lstrip())
    for entry in value.split(","):
        if prefix is not None:
            name = entry.strip() if entry.strip().startswith(prefix[0]) else None
        else:
            number = _NUMBER.match(entry)
            name = _plain(number[1]) if number is not None else None
            if number is not None and entry[number.end() :].strip():
                odd.append(entry)
        if name is None or name.startswith("-"):
            return Devices(tuple(ids), ended_by=entry, odd=tuple(odd))
        if name in ids:
            return Devices((), twice=name)
        ids.append(name)
    return Devices(tuple(ids), odd=tuple(odd))


def _plain(number: str) -> str:
    """Return a number without what does not matter in it; int() refuses thousands of digits."""
    sign = "-" if number.startswith("-") else ""
    digits = number.lstrip("+-").lstrip("0")
    return f"{sign}{digits}" if digits else "0"
