"""How well simulated cards are known."""

import pytest

from tfgpu.verify.memory.confidence import confidence, confidence_of_all
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


def test_confidence_of_a_machine() -> None:
    assert confidence_of_all(parse_gpus("sim:2xA40,16GiB")) == {
        "NVIDIA A40": "published",
        "Simulated GPU of 16384 MiB": "estimated",
    }
