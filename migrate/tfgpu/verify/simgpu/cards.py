"""The real cards that can be simulated, and how well their figures are known."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tfgpu.rulebook.table import parse_toml

# What the driver keeps of the size on a data sheet, in MiB: so much, and so much for each GiB;
# before Volta and since. Where error correction takes its bits from the same memory (GDDR of
# data-centre cards), a sixteenth is gone before. Fitted on cards whose total a driver printed.
_KEPT_BEFORE_VOLTA = (42, 3.5)
_KEPT = (150, 6.7)
_CORRECTION = 1 / 16
# So many cards are named at most where a text means several.
_MOST = 4


@dataclass(frozen=True, slots=True)
class Card:
    """One card: sizes in MiB, clocks in MHz, bus width in bits, cache in KiB.

    `published` tells whether a driver printed its total, or whether that comes from a data sheet.
    """

    key: str
    name: str
    total_mib: float
    compute_capability: str
    multiprocessors: int
    clock_mhz: int
    memory_clock_mhz: int
    bus_width: int
    l2_kib: int
    published: bool
    source: str


def estimated_total(nominal_gib: float, compute_capability: str, corrected: bool = False) -> float:
    """Return about how many MiB the driver reports of a card of a size; a multiple of 1/16 MiB."""
    old = int(compute_capability.partition(".")[0]) < 7
    kept, kept_of_each = _KEPT_BEFORE_VOLTA if old else _KEPT
    left = nominal_gib * 1024 * (1 - _CORRECTION if corrected else 1)
    return int((left - kept - kept_of_each * nominal_gib) * 16) / 16


def _card(key: str, row: dict[str, object]) -> Card:
    row = dict(row)
    nominal, printed = row.pop("nominal_gib", None), row.pop("printed_gib", None)
    if isinstance(nominal, int | float):
        row["total_mib"] = estimated_total(nominal, str(row["compute_capability"]))
        row.setdefault("source", "data sheet; the total is estimated")
    elif isinstance(printed, int | float):
        row["total_mib"] = int(printed * 1024 * 16) / 16
        row.setdefault("source", "the total that CUDA programs print, rounded to 0.01 GiB")
    return Card(key=key, published=nominal is None, **row)  # type: ignore[arg-type]


@cache
def catalogue() -> Mapping[str, Card]:
    """Return all cards by their short name."""
    path = Path(__file__).with_name("cards.toml")
    table = parse_toml(path.read_text("utf-8"))
    return {key: _card(key, row) for key, row in table.items()}


def plain(name: str) -> str:
    """Return a name without what people spell in more than one way."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _bare(name: str) -> str:
    """Return a name as `plain` does, without the maker: drivers since 2021 put it in front."""
    return plain(name).removeprefix("nvidia")


def find_card(name: str) -> Card | None:
    """Return the card with a short name, or the name that its driver gives or ends with."""
    wanted = _bare(name)
    cards = catalogue().values()
    for card in cards:
        if wanted in (plain(card.key), _bare(card.name)):
            return card
    # "RTX 3090" for "NVIDIA GeForce RTX 3090"; digits alone say too little.
    ends = [card for card in cards if plain(card.name).endswith(wanted)]
    return ends[0] if len(ends) == 1 and re.search(r"[a-z]\d", wanted) else None


def nearest(name: str) -> str:
    """Return the short names that are most like a text, "" where none is."""
    wanted, cards = _bare(name), catalogue().values()
    begun = [card.key for card in cards if wanted and plain(card.key).startswith(wanted)]
    if begun:  # "A100": there are several
        return ", ".join(begun[:_MOST])
    within = [card.key for card in cards if wanted.startswith(plain(card.key))]
    if within:  # "RTX 4090 Ti": there is one without the last word
        return max(within, key=len)
    names = {text: card.key for card in cards for text in (_bare(card.name), plain(card.key))}
    near = difflib.get_close_matches(wanted, names, 1, 0.5)
    return names[near[0]] if near else ""
