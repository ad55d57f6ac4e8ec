"""Compares how work is shared out between devices, where a graph has become eager code.

Operations have other names there, and eager code runs each as often as its loop does. What both
have are operations that do the work (products, convolutions), in the order in which the program
makes them: how many stand on each device, and which device comes after which.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from tfgpu.verify.compare.pairing import FUNCTION
from tfgpu.verify.observation import AS_PLACED, Observation, Placement
from tfgpu.verify.verdict import Entry, Outcome

_WORK = re.compile(r".*MatMul|.*Conv[23]D|.*Pool(ing)?|FusedBatchNorm|Einsum|.*(RNN|LSTM|GRU)")
_SPELLING = re.compile(r"^_Fused|V\d+$")


def compare_shares(before: Observation, after: Observation) -> Iterator[Entry]:
    """Yield what is not shared out alike; it may be wrong, or may run more often on one side."""
    left, right = _work(before), _work(after)
    factors: dict[str, Fraction] = {}
    for kind in sorted(left.keys() & right.keys()):
        mine, theirs = Counter(left[kind]), Counter(right[kind])
        texts = _text(mine), _text(theirs)
        if _shares(mine) != _shares(theirs):
            yield _entry(kind, texts, "the two sides share it out between devices in another way")
        elif _turns(left[kind]) != _turns(right[kind]):
            yield _entry(kind, texts, "the devices come in another order: are two of them swapped?")
        factors[kind] = Fraction(theirs.total(), mine.total())
    if len(set(factors.values())) > 1 or not all(_whole(one) for one in factors.values()):
        texts = (_counts(left, factors), _counts(right, factors))
        yield _entry("operations", texts, "one side has more of some than its steps explain")
    for kind in sorted(left.keys() ^ right.keys()):
        texts = _text(Counter(left.get(kind, ()))), _text(Counter(right.get(kind, ())))
        yield _entry(kind, texts, "only one side has such operations")


def _shares(counts: Counter[str]) -> dict[str, Fraction]:
    return {device: Fraction(number, counts.total()) for device, number in counts.items()}


def _entry(kind: str, texts: tuple[str, str], reason: str) -> Entry:
    return Entry(f"share of {kind}", Outcome.INCONCLUSIVE, *texts, reason)


def _whole(factor: Fraction) -> bool:
    """Tell whether one side has a whole multiple of what the other has: its steps."""
    return 1 in (factor.numerator, factor.denominator)


def _work(leg: Observation) -> dict[str, list[str]]:
    """Return the devices of the operations that do the work, by type, in order."""
    found: dict[str, list[str]] = {}
    for placement in leg.placements:
        if placement.title == AS_PLACED:
            continue
        for kind, device in _in_order(placement):
            if _WORK.match(kind):
                found.setdefault(_SPELLING.sub("", kind), []).append(device)
    return found


def _in_order(placement: Placement) -> list[tuple[str, str]]:
    operations = list(placement.operations)
    if placement.title.startswith(FUNCTION):
        # A function's graph is written down in any order, and its operations are numbered.
        operations.sort(key=lambda one: [int(n) for n in re.findall(r"\d+", one.name)])
    return [(one.kind, one.device) for one in operations]


def _turns(devices: Sequence[str]) -> list[str]:
    """Return the devices in turn, one round of them where they repeat."""
    turns = [one for index, one in enumerate(devices) if index == 0 or one != devices[index - 1]]
    for length in range(1, len(turns)):
        if all(one == turns[index % length] for index, one in enumerate(turns)):
            return turns[:length]
    return turns


def _text(counts: Counter[str]) -> str:
    return ", ".join(f"{number} on {device}" for device, number in sorted(counts.items())) or "none"


def _counts(work: dict[str, list[str]], kinds: dict[str, Fraction]) -> str:
    return ", ".join(f"{len(work[kind])} {kind}" for kind in kinds)
