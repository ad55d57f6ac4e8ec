"""Runs programs of TensorFlow 1, of compat.v1 and of tf.config on two simulated GPUs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.theory.prelude import PRELUDE
from tests.verify.interpreters import python_with_tensorflow1
from tests.verify.server import Server
from tfgpu.verify.observation import Observation
from tfgpu.verify.simgpu.build import build
from tfgpu.verify.simgpu.target import find_target

TF1 = "import tensorflow as tf\n"
V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
MIB = 1 << 20
SMALL = 64
EAGER = "import tensorflow.compat.v1 as tf\n"


@dataclass(frozen=True)
class Run:
    """What a program wrote down, the first allocation on each card in MiB, and how it ended."""

    facts: dict[str, Any]
    took: dict[int, int]
    error: str
    leg: Observation = field(repr=False, compare=False)

    @property
    def grows(self) -> dict[int, bool]:
        """Whether each card that was used began with a small piece of its memory."""
        return {card: size < SMALL for card, size in self.took.items()}


class Programs:
    """Runs each program once on one interpreter, in forks of one process."""

    def __init__(self, server: Server, header: str) -> None:
        self._server = server
        self._header = header
        self._known: dict[tuple[str, str], Run] = {}

    def __call__(
        self, text: str, gpus: str = "4GiB,2GiB", header: str = "", **variables: str
    ) -> Run:
        """Run a program; `variables` are those of its environment."""
        key = (text, f"{gpus} {header} {variables}")
        if key not in self._known:
            program = (header or self._header) + PRELUDE + "\n\n" + text
            leg = self._server.leg(program, f"sim:{gpus}", False, variables=variables, steps=0)
            self._known[key] = _run(leg)
        return self._known[key]


def _run(leg: Observation) -> Run:
    facts = dict(json.loads(line[2:]) for line in leg.stdout.splitlines() if line.startswith("@@"))
    took = {card.gpu: card.calls[0][1] // MIB for card in leg.memory if card.calls}
    error = leg.failure.kind if leg.failure else "" if leg.ended == "end" else leg.ended
    return Run(facts, took, error, leg)


@pytest.fixture(scope="session")
def new(server: Server) -> Callable[..., Run]:
    """Run programs on TensorFlow 2, in graph mode."""
    return Programs(server, V1)


@pytest.fixture(scope="session")
def tf1(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Run]]:
    """Run programs on TensorFlow 1.15."""
    python = python_with_tensorflow1()
    folder = tmp_path_factory.mktemp("old")
    with Server(folder, build(find_target(python)), python=python) as server:
        yield Programs(server, TF1)


@pytest.fixture(params=["1.15", "compat.v1"])
def old(request: pytest.FixtureRequest) -> Callable[..., Run]:
    """Run programs with a ConfigProto, on TensorFlow 1.15 and as compat.v1 of TensorFlow 2."""
    found: Callable[..., Run] = request.getfixturevalue("tf1" if request.param == "1.15" else "new")
    return found
