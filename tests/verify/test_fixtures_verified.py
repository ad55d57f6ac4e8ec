"""The fixture programs, before and after, on simulated GPUs: nothing may change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.verify.fixture_programs import FIXTURES, check_alike
from tests.verify.server import Server
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation, Operation
from tfgpu.verify.verdict import Verdict

TENSORFLOW1 = sorted(
    path.parent.name
    for path in FIXTURES.glob("*/before.py")
    if not path.parent.name.startswith("tf2_")
)
COMMAND_LINES = {
    "guarded": [(), ("--memory", "0.3"), ("--gpu", "1"), ("--memory", "0.3", "--gpu", "1")],
    "threads": [(), ("--intra", "1", "--inter", "3")],
}
# What the programs are there to show (fixtures/README.md), in terms of the after leg.
GROWING = {"growth", "growth_and_fraction", "visible_devices", "horovod_pinning", "self_config"}
ON_SECOND_CARD = {"visible_devices", "cuda_visible_devices"}


def run(server: Server, name: str, argv: tuple[str, ...]) -> Verdict:
    legs = []
    for stem, first in (("before", True), ("after", False)):
        path = FIXTURES / name / f"{stem}.py"
        legs.append(server.leg(path.read_text("utf-8"), "sim:4x3GiB", first, argv, path=path))
    legs[1] = replace(legs[1], migrated=True)
    return Verdict("4 x 16 GiB", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))


@pytest.mark.parametrize(
    ("name", "argv"),
    [(name, argv) for name in TENSORFLOW1 for argv in COMMAND_LINES.get(name, [()])],
)
def test_before_and_after_are_the_same(server: Server, name: str, argv: tuple[str, ...]) -> None:
    verdict = run(server, name, argv)
    check_alike(verdict, name)
    after = verdict.after
    if name in GROWING:
        assert after.memory
        assert all(card.calls[0][1] < 2**28 for card in after.memory)
    if name in ON_SECOND_CARD:
        assert [card.gpu for card in after.memory] == [1]


def test_towers_stand_on_their_cards(server: Server) -> None:
    verdict = run(server, "cifar_four_gpus", ())
    for number in range(4):
        towers = operations(verdict.after, f"tower_{number}/")
        convolutions = [one for one in towers if one.kind == "Conv2D"]
        assert {one.device for one in convolutions} == {f"GPU:{number}"}
        assert all(one.requested == f"GPU:{number}" for one in convolutions)
        assert all(one.source.startswith("after.py:") for one in convolutions)
    assert len(verdict.after.memory) == 4


def test_an_int_variable_lands_on_the_cpu(server: Server) -> None:
    verdict = run(server, "soft_placement", ())
    variables = [one for one in operations(verdict.after, "counter") if "Variable" in one.kind]
    assert [(one.name, one.device) for one in variables] == [("counter", "CPU:0")]
    assert variables[0].requested == "GPU:0"


def test_a_gpu_out_of_range_is_refused_alike(server: Server) -> None:
    verdict = run(server, "gpu_out_of_range", ())
    for leg in (verdict.before, verdict.after):
        assert leg.failure
        assert leg.failure.kind == "InvalidArgumentError"
        assert "GPU:2" in leg.failure.message


def operations(leg: Observation, prefix: str) -> list[Operation]:
    return [
        operation
        for placement in leg.placements
        if placement.title == "graph as placed"
        for operation in placement.operations
        if operation.name.startswith(prefix)
    ]
