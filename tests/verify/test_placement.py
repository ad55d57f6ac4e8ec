"""Operations whose numbers in their names say nothing, and those whose numbers do."""

from __future__ import annotations

import pytest

from tfgpu.verify.compare.placement import compare_placement, in_order
from tfgpu.verify.observation import Item, Observation, Operation, Placement, Step


def placed(*operations: tuple[str, str]) -> list[Operation]:
    return [Operation(name, name.partition("_")[0], device) for name, device in operations]


def pairs(operations: list[Operation]) -> set[tuple[str, str]]:
    return {(one.name, one.device) for one in in_order(operations)}


@pytest.mark.parametrize("kind", ["VarIsInitializedOp", "IsVariableInitialized"])
def test_what_keras_asks_in_the_order_of_a_set_has_no_order(kind: str) -> None:
    one = placed((kind, "CPU:0"), (f"{kind}_1", "GPU:0"), (f"{kind}_2", "CPU:0"))
    other = placed((kind, "GPU:0"), (f"{kind}_1", "CPU:0"), (f"{kind}_2", "CPU:0"))
    fewer = placed((kind, "GPU:0"), (f"{kind}_1", "GPU:0"), (f"{kind}_2", "CPU:0"))
    assert pairs(one) == pairs(other) != pairs(fewer)


def test_the_numbers_of_other_operations_count() -> None:
    one = placed(("MatMul", "CPU:0"), ("MatMul_1", "GPU:0"))
    other = placed(("MatMul", "GPU:0"), ("MatMul_1", "CPU:0"))
    assert pairs(one) != pairs(other)


def test_which_of_several_equal_first_values_ran_says_nothing() -> None:
    def differs(name: str, kind: str = "Const", device: str = "GPU:0") -> bool:
        legs = [
            Observation(
                "train.py",
                "1.15.5",
                "3.7",
                False,
                "end",
                placements=[
                    Placement("session 1", False, [Operation("loss", "Sum", "GPU:0"), operation])
                ],
            )
            for operation in (
                Operation("SGD/decay/Initializer/initial_value", "Const", "GPU:0"),
                Operation(name, kind, device),
            )
        ]
        return any(entry.differs for entry in compare_placement(*legs))

    other = "SGD/momentum/Initializer/initial_value"
    assert not differs(other)
    assert differs(other, device="CPU:0")
    assert differs(other, kind="RandomUniform")
    assert differs("SGD/momentum")


@pytest.mark.parametrize("name", ["save/SaveV2/_75", "save/SaveV2"])
def test_numbers_of_copies_say_nothing_between_two_versions(name: str) -> None:
    def differs(runtime: str) -> bool:
        before, after = (
            Observation(
                "train.py",
                version,
                "3.7",
                False,
                "end",
                placements=[Placement("session 1", False, [*loss, Operation(name, "", device)])],
            )
            for version, device in (("1.15.5", "CPU:0"), (runtime, "GPU:0"))
        )
        return any(entry.differs for entry in compare_placement(before, after))

    loss = [Operation("loss", "Sum", "GPU:0")]
    assert differs("1.15.5")
    assert differs("2.21.0") is not name.endswith("_75")


@pytest.mark.parametrize(("kind", "is_told"), [("Relu", True), ("MatMul", True), ("Mul", False)])
def test_more_operations_in_another_version_are_told(kind: str, is_told: bool) -> None:
    """Sums and the like may be spelled with others there, and nothing else."""
    usual = [
        Item("MatMul", "float32[4,4] float32[4,4] > float32[4,4]", "", "GPU:0", count=2),
        Item("Add", "float32[4,4] float32[4,4] > float32[4,4]", "", "GPU:0"),
    ]
    more = [*usual, Item(kind, "float32[4,4] > float32[4,4]", "", "GPU:0")]
    graph = Placement("session 1", False, placed(("MatMul", "GPU:0"), ("MatMul_1", "GPU:0")))
    legs = [
        Observation(
            "train.py",
            version,
            "3.11",
            False,
            "end",
            placements=[graph],
            work=[Step("session 1", False, items)],
        )
        for version, items in (("1.15.5", usual), ("2.21.0", more))
    ]
    told = [entry.subject for entry in compare_placement(*legs) if entry.differs]
    assert told == ([kind] if is_told else [])
