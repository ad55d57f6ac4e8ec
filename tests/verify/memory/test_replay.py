"""Lines of real cards, and all known cards, on TensorFlow itself with simulated GPUs."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.verify.interpreters import python_with, python_with_tensorflow1
from tests.verify.server import Server
from tfgpu.verify.memory.limits import MIB, context_of, default_limit
from tfgpu.verify.memory.lines import Line, lines
from tfgpu.verify.memory.releases import Release, Version, find_release
from tfgpu.verify.simgpu.build import build
from tfgpu.verify.simgpu.cards import Card, catalogue
from tfgpu.verify.simgpu.gpus import MAX_GPUS
from tfgpu.verify.simgpu.target import find_target

# Multiprocessors that a card must have beside others.
LEAST = 8
EAGER = "import tensorflow as tf\ntf.config.list_logical_devices()\n"
SESSION = "import tensorflow as tf\ntf.Session()\n"
FRACTION = (
    "import tensorflow.compat.v1 as tf\n"
    "tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions("
    "per_process_gpu_memory_fraction={})))\n"
)


def context(card: Card, release: Release) -> int:
    """Return the size of a card's context."""
    return context_of(release.cuda).size(card.compute_capability, card.multiprocessors)


def limits(program: str, gpus: str, server: Server) -> dict[str, int]:
    """Run a program and return the memory limits of its GPUs by their bus ids."""
    seen = server.leg(program, gpus, False)
    assert seen.sessions, seen.trouble
    return {device.bus: device.limit for device in seen.sessions[0].devices if device.bus}


def in_order(found: dict[str, int]) -> list[int]:
    """Return limits in the order of the PCI bus."""
    return [found[bus] for bus in sorted(found)]


def with_free(line: Line, release: Release) -> str:
    """Describe the line's card with the free memory of the line, for a release."""
    card, free = line.simulated, line.free
    assert card is not None
    assert free is not None
    used = int(card.total_mib * MIB) - context(card, release) - free
    # Where less is free on an empty card, the total stands for what the driver keeps.
    size = (
        f"total={free / MIB + 2048:.4f}MiB, overhead=2GiB"
        if used < 0
        else f"used={used / MIB:.4f}MiB"
    )
    return f"{card.key}({size})"


def generation(first: Version, last: Version) -> Sequence[Line]:
    """Return the lines with bytes of releases."""
    return [
        x
        for x in lines()
        if x.free is not None and x.release and first <= x.release.version <= last
    ]


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Server:
    python = python_with_tensorflow1()
    return Server(tmp_path_factory.mktemp("old"), build(find_target(python)), python=python)


def test_bytes_of_tensorflow_1(old: Server) -> None:
    found = generation(Version(1, 0), Version(2, 1))
    gpus = ",".join(with_free(line, find_release("1.15")) for line in found)
    with old as server:
        seen = in_order(limits(SESSION, f"sim:{gpus}", server))
        (whole,) = limits(FRACTION.format(1.0), "sim:K80", server).values()
    assert seen == [line.limit_bytes for line in found]
    assert whole == next(line.limit_bytes for line in lines() if line.fraction == 1)


def test_bytes_of_tensorflow_2_4(tmp_path: Path) -> None:
    python = python_with("2.4", "TFGPU_TF24_PYTHON", "python3.8")
    found = generation(Version(2, 2), Version(2, 4))
    gpus = ",".join(with_free(line, find_release("2.4")) for line in found)
    with Server(tmp_path, build(find_target(python)), python=python) as server:
        seen = in_order(limits(EAGER, f"sim:{gpus}", server))
    assert seen == [line.limit_bytes for line in found]


def test_bytes_of_tensorflow_2_5_and_newer(server: Server) -> None:
    found = generation(Version(2, 5), Version(2, 99))
    release = find_release(find_target(sys.executable).version)
    gpus = ",".join(with_free(line, release) for line in found)
    seen = in_order(limits(EAGER, f"sim:{gpus}", server))
    assert seen == [line.limit_bytes for line in found]


def test_a_fraction_of_a_real_card(server: Server) -> None:
    (whole,) = limits(FRACTION.format(1.0), "sim:K80", server).values()
    assert whole == next(line.limit_bytes for line in lines() if line.fraction == 1)


def test_all_cards_have_the_memory_of_the_formula(server: Server) -> None:
    release = find_release(find_target(sys.executable).version)
    # TensorFlow leaves out cards with fewer multiprocessors where there are larger ones.
    cards = [card for card in catalogue().values() if card.multiprocessors >= LEAST]
    for first in range(0, len(cards), MAX_GPUS):
        some = cards[first : first + MAX_GPUS]
        seen = in_order(limits(EAGER, "sim:" + ",".join(card.key for card in some), server))
        assert seen == [
            default_limit(
                int(card.total_mib * MIB) - context(card, release),
                release.version,
                card.compute_capability,
            )
            for card in some
        ]
