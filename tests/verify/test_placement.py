"""Operations whose numbers in their names say nothing, and those whose numbers do."""

from __future__ import annotations

import pytest

from tfgpu.verify.compare.placement import in_order
from tfgpu.verify.observation import Operation


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
