"""The fixture programs, before and after, on simulated GPUs: nothing may change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.verify.fixture_programs import FIXTURES, check_alike
from tests.verify.server import Server
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation, Operation
from tfgpu.verify.verdict import Verdict

NAMES = sorted(path.parent.name for path in FIXTURES.glob("*/before.py"))
TENSORFLOW1 = [name for name in NAMES if not name.startswith("tf2_")]
# A before.py for TensorFlow 2 is the same as its after.py.
TENSORFLOW2 = [name for name in NAMES if name.startswith("tf2_")]
COMMAND_LINES = {
    "guarded": [(), ("--memory", "0.3"), ("--gpu", "1"), ("--memory", "0.3", "--gpu", "1")],
    "threads": [(), ("--intra", "1", "--inter", "3")],
}
# What the programs are there to show (fixtures/README.md), in terms of the after leg.
GROWING = {"growth", "growth_and_fraction", "visible_devices", "horovod_pinning", "self_config"}
ON_SECOND_CARD = {"visible_devices", "cuda_visible_devices"}


def leg(
    server: Server, name: str, stem: str, argv: tuple[str, ...] = (), steps: int = 5
) -> Observation:
    path = FIXTURES / name / f"{stem}.py"
    text = path.read_text("utf-8")
    return server.leg(text, "sim:4x3GiB", stem == "before", argv, path=path, steps=steps)


def compared(before: Observation, after: Observation) -> Verdict:
    return Verdict("4 x 3 GiB", True, before, after, compare(before, after, simulated=True))


def run(server: Server, name: str, argv: tuple[str, ...] = ()) -> Verdict:
    after = replace(leg(server, name, "after", argv), migrated=True)
    return compared(leg(server, name, "before", argv), after)


def operations(leg: Observation, prefix: str) -> list[Operation]:
    return [
        operation
        for placement in leg.placements
        if placement.title == "graph as placed"
        for operation in placement.operations
        if operation.name.startswith(prefix)
    ]


def towers_stand_on_their_cards(verdict: Verdict) -> None:
    for number in range(4):
        towers = operations(verdict.after, f"tower_{number}/")
        convolutions = [one for one in towers if one.kind == "Conv2D"]
        assert {one.device for one in convolutions} == {f"GPU:{number}"}
        assert all(one.requested == f"GPU:{number}" for one in convolutions)
        assert all(one.source.startswith("after.py:") for one in convolutions)
    assert len(verdict.after.memory) == 4


def an_int_variable_lands_on_the_cpu(verdict: Verdict) -> None:
    variables = [one for one in operations(verdict.after, "counter") if "Variable" in one.kind]
    assert [(one.name, one.device) for one in variables] == [("counter", "CPU:0")]
    assert variables[0].requested == "GPU:0"


def a_gpu_out_of_range_is_refused_alike(verdict: Verdict) -> None:
    for leg in (verdict.before, verdict.after):
        assert leg.failure
        assert leg.failure.kind == "InvalidArgumentError"
        assert "GPU:2" in leg.failure.message


# What the programs are there to show (fixtures/README.md), in terms of their runs.
SHOWN = {
    "cifar_four_gpus": towers_stand_on_their_cards,
    "soft_placement": an_int_variable_lands_on_the_cpu,
    "gpu_out_of_range": a_gpu_out_of_range_is_refused_alike,
}


@pytest.mark.parametrize(
    ("name", "argv"),
    [(name, argv) for name in TENSORFLOW1 for argv in COMMAND_LINES.get(name, [()])],
)
def test_before_and_after_are_the_same(server: Server, name: str, argv: tuple[str, ...]) -> None:
    verdict = run(server, name, argv)
    check_alike(verdict, name)
    before, after = verdict.before, verdict.after
    if not argv:  # nor does either change from run to run
        check_alike(compared(before, leg(server, name, "before")), name)
        check_alike(compared(replace(after, migrated=False), leg(server, name, "after")), name)
    if name in SHOWN:
        SHOWN[name](verdict)
    if name in GROWING:
        assert after.memory
        assert all(card.calls[0][1] < 2**28 for card in after.memory)
    if name in ON_SECOND_CARD:
        assert [card.gpu for card in after.memory] == [1]


@pytest.mark.parametrize("name", TENSORFLOW2)
def test_a_program_for_tensorflow_2_matches_itself(server: Server, name: str) -> None:
    check_alike(compared(*(leg(server, name, "after", steps=3) for _ in range(2))), name)
