"""Predictions of memory, and how `tfgpu predict` prints them."""

import json
import subprocess
import sys

import pytest

from tests.cli.tools import tfgpu
from tfgpu.verify.memory.limits import MIB
from tfgpu.verify.memory.predict import Impossible, Prediction, Setting, predict
from tfgpu.verify.memory.releases import find_release
from tfgpu.verify.simgpu.gpus import parse_gpus


def predicted(card: str, release: str, setting: Setting) -> Prediction:
    return predict(parse_gpus(card)[0], find_release(release), setting)


def test_a_fraction() -> None:
    made = predicted("T4", "2.10", Setting(fraction=0.4))
    assert made.limit == int(15109.75 * MIB * 0.4)
    assert made.asked == [made.limit // 256 * 256]
    assert made.free == made.total - made.context
    assert made.left == made.free - made.taken
    assert made.left_for_tensorflow == made.left - made.context


def test_all_of_a_card_is_refused() -> None:
    # As a real K80 logged it: "failed to allocate 11.17G (11996954624 bytes)".
    made = predicted("K80", "1.7", Setting(fraction=1))
    assert made.limit == made.asked[0] == 11996954624
    assert made.taken == made.asked[1] <= made.free


def test_growth_begins_small() -> None:
    for release, first in (("1.15", 1), ("2.21", 2)):
        made = predicted("T4", release, Setting(growth=True))
        assert (made.asked, made.taken) == ([first * MIB], first * MIB)
        assert made.most == made.limit
    assert predicted("T4", "2.21", Setting(limit_mib=1, growth=True)).asked == [MIB]


def test_used_memory_is_not_free() -> None:
    empty, used = (predicted(f"T4{text}", "2.21", Setting()) for text in ("", "(used=4GiB)"))
    assert empty.limit - used.limit == 4096 * MIB


def test_more_than_all_is_unified_memory() -> None:
    made = predicted("T4", "1.15", Setting(fraction=1.5))
    assert made.unified
    assert made.asked == [made.limit]
    assert made.left == 0


@pytest.mark.parametrize(
    ("card", "setting", "message"),
    [
        ("T4", Setting(fraction=0), "above 0"),
        ("T4", Setting(fraction=float("nan")), "above 0"),
        ("T4", Setting(fraction=float("inf")), "above 0"),
        ("K80", Setting(fraction=1.5), "at most 1.0"),
        ("T4", Setting(limit_mib=0), "1 to 15109 MiB"),
        ("T4", Setting(limit_mib=15110), "1 to 15109 MiB"),
        ("T4", Setting(fraction=0.5, limit_mib=10), "exclude"),
        ("T4(used=14.6GiB)", Setting(), "less than 14812 MiB can be in use"),
    ],
)
def test_impossible_settings(card: str, setting: Setting, message: str) -> None:
    with pytest.raises(Impossible, match=message):
        predicted(card, "2.21", setting)


def test_text() -> None:
    text = tfgpu("predict", "Tesla T4", "--tensorflow", "2.10", "--fraction", "0.4").stdout
    assert "6043 MB     6337488486 bytes" in text
    assert "formula only: TensorFlow 2.10 itself was not run" in text
    assert "confirmed by" in text
    assert "none for this card" in tfgpu("predict", "K80").stdout


def test_json() -> None:
    done = tfgpu("predict", "sim:T4,K80", "--tensorflow", "1.15", "--format", "json")
    first, second = json.loads(done.stdout)
    assert (first["card"], second["card"]) == ("Tesla T4", "Tesla K80")
    assert first["by_formula_only"] is False
    assert first["free"] == first["total"] - first["context"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["RTX 3095"], "did you mean RTX3090?"),
        (["T4", "--tensorflow", "2.99"], "2.0 to 2.21"),
        (["T4(used=99GiB)"], "others use 99GiB"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], message: str) -> None:
    done = tfgpu("predict", *arguments)
    assert done.exit_code == 2
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("Error: ")]
    assert message in line


def test_cards_are_listed_with_their_confidence() -> None:
    lines = tfgpu("simulate", "--cards").stdout.splitlines()
    (k80,) = [line for line in lines if line.startswith("K80 ")]
    assert "confirmed by 8 lines" in k80


def test_tensorflow_is_not_imported() -> None:
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom tfgpu.cli import main\n"
        "assert CliRunner().invoke(main, ['predict', 'T4']).exit_code == 0\n"
        "assert 'tensorflow' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
