"""How well simulated cards are known."""

import pytest

from tfgpu.verify.gpus import choose
from tfgpu.verify.memory.predict import confidence, without_kernels
from tfgpu.verify.simgpu.gpus import parse_gpus


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sim:K80", "confirmed by 8 lines"),
        ("sim:K80(used=1GiB)", "confirmed by 8 lines"),
        ("sim:RTX2070", "confirmed by 1 line"),
        ("sim:A40", "published"),
        ("sim:P600", "estimated"),
        ("sim:T4(total=15GiB)", "estimated"),
        ("sim:T4(overhead=400MiB)", "estimated"),
        ("sim:16GiB", "estimated"),
    ],
)
def test_confidence(text: str, words: str) -> None:
    assert confidence(parse_gpus(text)[0]) == words


def test_a_machine_says_how_well_its_cards_are_known() -> None:
    assert choose("sim:2xA40,16GiB").description == (
        "2 x NVIDIA A40, 45629 MiB (published); 1 x Simulated GPU, 16384 MiB (estimated)"
    )


def test_cards_without_kernels_are_said() -> None:
    gpus = parse_gpus("sim:2xK80,T4")
    (text,) = without_kernels(gpus, "2.21.0")
    assert "2.21 has no kernels for Tesla K80 (compute capability 3.7)" in text
    assert not without_kernels(gpus, "1.15.5")
    assert not without_kernels(gpus, "")
