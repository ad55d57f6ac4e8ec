"""The size of CUDA's contexts, and of cards known from data sheets."""

from statistics import median

import pytest

from tests.verify.memory.fit import fit
from tfgpu.verify.memory.limits import MIB
from tfgpu.verify.memory.lines import Line, lines
from tfgpu.verify.memory.releases import Version, tables
from tfgpu.verify.simgpu.cards import catalogue, estimated_total, find_card, nearest

# Sizes on data sheets of cards whose total a driver printed, in GiB; whether bits for error
# correction are taken from them.
NOMINAL = {
    "K80": (12, True), "T4": (16, True), "L4": (24, True), "A40": (48, True), "P40": (24, True),
    "P100": (16, False), "V100-16": (16, False), "V100-32": (32, False), "A100-40": (40, False),
    "A100-80": (80, False), "H100": (80, False), "GTX1080Ti": (11, False), "GTX970": (4, False),
    "RTX2080Ti": (11, False), "RTX3090": (24, False), "RTXA6000": (48, False),
}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "first", "last"),
    [
        (1, Version(9, 0), Version(10, 0)),
        (2, Version(10, 1), Version(11, 8)),
        (3, Version(12, 0), Version(12, 9)),
    ],
)
def test_the_table_is_the_fit(row: int, first: Version, last: Version) -> None:
    wanted = tables()["contexts"][row]
    base, threads, kepler = fit(first, last, "kepler" in wanted)
    assert (round(base), round(threads, 2)) == (wanted["base"], wanted["threads"])
    assert round(kepler) == wanted.get("kepler", wanted["base"])


def differences(use: str) -> list[float]:
    """Return how far the default of 2.5 and newer is off, in MB, without a sign."""
    return [
        abs((line.by_card() or 0) - line.limit) / MIB
        for line in lines()
        if line.use == use and line.release and line.release.version >= Version(2, 5)
    ]


def test_the_default_memory_of_known_cards_is_near() -> None:
    assert median(differences("fit") + differences("check")) <= 40
    assert median(differences("check")) <= 41


@pytest.mark.parametrize(
    "line", [x for x in lines() if x.use], ids=lambda x: f"{x.card}-{x.tensorflow}"
)
def test_no_default_is_off_by_more_than_two_percent(line: Line) -> None:
    assert line.by_card() == pytest.approx(line.limit, rel=0.02)


@pytest.mark.parametrize("line", [x for x in lines() if x.free_printed], ids=lambda x: x.card)
def test_given_the_printed_free_memory(line: Line) -> None:
    if line.setting == "none":
        assert line.given_free() == pytest.approx(line.limit, abs=20 * MIB)


@pytest.mark.parametrize(("key", "nominal"), NOMINAL.items(), ids=NOMINAL)
def test_totals_follow_from_data_sheets(key: str, nominal: tuple[int, bool]) -> None:
    card = catalogue()[key]
    size, corrected = nominal
    estimate = estimated_total(size, card.compute_capability, corrected)
    assert estimate == pytest.approx(card.total_mib, rel=0.01)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("t4", "T4"),
        ("Tesla T4", "T4"),
        ("RTX 3090", "RTX3090"),
        ("NVIDIA GeForce RTX 3090", "RTX3090"),
        ("h100 80gb hbm3", "H100"),
        ("NVIDIA GeForce RTX 2080 Ti", "RTX2080Ti"),
        ("RTX 2080", "RTX2080"),
    ],
)
def test_cards_by_their_names(text: str, key: str) -> None:
    assert find_card(text) == catalogue()[key]


@pytest.mark.parametrize(
    ("text", "near"),
    [("T5", "T4"), ("RTX 3095", "RTX3090"), ("RTX 4090 Ti", "RTX4090"), ("????", "")],
)
def test_unknown_cards_have_a_neighbour(text: str, near: str) -> None:
    assert find_card(text) is None
    assert nearest(text) == near
