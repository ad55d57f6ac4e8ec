"""Numbers computed on the CPU: right forms of a program agree, wrong ones do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.verify.carry_over import GPUS, NAMES, text
from tests.verify.server import Server
from tfgpu.verify.compare.numbers import compare_numbers
from tfgpu.verify.observation import Observation, Values
from tfgpu.verify.verdict import Outcome

_ONE_HALF = (("xs[number]", "xs[0]"), ("ys[number]", "ys[0]"))
WRONG = [
    ("towers", "function", "both read one half", _ONE_HALF),
    ("towers", "eager", "both read one half", _ONE_HALF),
    ("towers", "wrapped", "both read one half", _ONE_HALF),
    ("mlp", "eager", "another optimizer", (("optimizers.Adam(", "optimizers.RMSprop("),)),
    ("mlp", "keras", "another optimizer", (("optimizers.Adam(", "optimizers.RMSprop("),)),
    ("mlp", "function", "another rate", (("Adam(0.001)", "Adam(0.002)"),)),
    ("mlp", "function", "another loss", (("tf.reduce_mean(", "tf.reduce_sum("),)),
    ("counter", "eager", "counts twice",
     (("return count.assign_add(1)", "count.assign_add(1)\n        return count.assign_add(1)"),)),
]  # fmt: skip


@pytest.fixture(scope="module")
def computed(server: Server) -> Callable[[str], Observation]:
    """Computes the numbers of a program, of the same text once only."""
    known: dict[str, Observation] = {}

    def run(program: str) -> Observation:
        if program not in known:
            known[program] = server.leg(program, GPUS, False, numbers=True)
        assert known[program].ended == "end", known[program].failure
        return known[program]

    return run


@pytest.mark.parametrize("form", [name for name in NAMES if name != "session"])
@pytest.mark.parametrize("program", ["mlp", "towers", "counter", "conv"])
def test_forms_compute_the_same(
    computed: Callable[[str], Observation], program: str, form: str
) -> None:
    before, after = (computed(text(program, one)) for one in ("session", form))
    found = compare_numbers(before, after)
    assert found.outcome is Outcome.MATCH, found


@pytest.mark.parametrize(
    ("program", "form", "fault", "texts"), WRONG, ids=[" ".join(one[:3]) for one in WRONG]
)
def test_a_wrong_form_computes_something_else(
    computed: Callable[[str], Observation],
    program: str,
    form: str,
    fault: str,
    texts: tuple[tuple[str, str], ...],
) -> None:
    wrong = text(program, form)
    for old, new in texts:
        assert old in wrong, fault
        wrong = wrong.replace(old, new)
    found = compare_numbers(computed(text(program, "session")), computed(wrong))
    assert found.outcome in (Outcome.MISMATCH, Outcome.INCONCLUSIVE), found


def leg(*values: Values, ended: str = "end") -> Observation:
    empty = Observation("train.py", "2.21.0", "3.11", stands_in=False, ended=ended)
    return replace(empty, values=values, whole=ended == "end")


def variable(*rows: float, name: str = "w", shape: str = "float[]") -> Values:
    return Values("variable", name, shape, [[one] for one in rows])


@pytest.mark.parametrize(
    ("before", "after", "outcome"),
    [
        pytest.param([1, 2, 3], [1, 2, 3], Outcome.MATCH, id="the same"),
        pytest.param([1, 3], [1, 2, 3], Outcome.MATCH, id="seen more often"),
        pytest.param([1, 2, 3], [1, 2, 3, 4], Outcome.MISMATCH, id="goes on"),
        pytest.param([1, 2, 3], [1], Outcome.MISMATCH, id="stands still"),
        pytest.param([1, 1.001, 1.002], [1, 1.002, 1.004], Outcome.MISMATCH, id="small steps"),
        pytest.param([1, 2, 3], [5, 6, 7], Outcome.IGNORED, id="begins elsewhere"),
    ],
)
def test_values_of_a_variable(before: list[float], after: list[float], outcome: Outcome) -> None:
    assert compare_numbers(leg(variable(*before)), leg(variable(*after))).outcome is outcome


def test_variables_are_paired_by_their_values() -> None:
    first, second = variable(1, 2), variable(5, 6, name="v")
    found = compare_numbers(leg(first, second), leg(second, first))
    assert found.outcome is Outcome.MATCH


def test_what_cannot_be_computed_on_the_cpu_is_left_out() -> None:
    found = compare_numbers(leg(variable(1, 2)), leg(ended="timeout"))
    assert found.outcome is Outcome.IGNORED
