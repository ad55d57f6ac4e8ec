"""Numbers computed on the CPU: right forms of a program agree, wrong ones do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from textwrap import dedent

import pytest

from tests.verify.carry_over import GPUS, NAMES, text
from tests.verify.server import Server
from tfgpu.verify.gpus import choose
from tfgpu.verify.numbers import added, compare_numbers
from tfgpu.verify.observation import Observation, Values
from tfgpu.verify.scenarios import Scenario
from tfgpu.verify.verdict import Aspect, Comparison, Entry, Outcome

_ONE_HALF = (("xs[number]", "xs[0]"), ("ys[number]", "ys[0]"))
WRONG = [
    ("towers", "function", "both read one half", _ONE_HALF),
    ("towers", "eager", "both read one half", _ONE_HALF),
    ("towers", "wrapped", "both read one half", _ONE_HALF),
    ("mlp", "eager", "another optimizer", (("optimizers.Adam(", "optimizers.RMSprop("),)),
    ("mlp", "keras", "another optimizer", (("optimizers.Adam(", "optimizers.RMSprop("),)),
    ("mlp", "function", "another rate", (("Adam(0.001)", "Adam(0.002)"),)),
    ("mlp", "function", "another loss", (("tf.reduce_mean(", "tf.reduce_sum("),)),
    ("mlp", "function", "another initializer", (("GlorotUniform()", "HeNormal()"),)),
    ("mlp", "eager", "gradients clipped",
     (("        optimizer.apply", "        gradients, _ = tf.clip_by_global_norm(gradients, 0.01)\n"
       "        optimizer.apply"),)),
    ("mlp", "eager", "weights decayed",
     (("    return loss", "    w1.assign_sub(0.01 * w1)\n    return loss"),)),
    ("towers", "function", "halves crossed", (("ys[number]", "ys[1 - number]"),)),
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


STACK = {
    "session": """
        import numpy as np
        import tensorflow.compat.v1 as tf
        tf.disable_v2_behavior()
        x = tf.constant(np.random.RandomState(0).rand(4, 8).astype("f"))
        with tf.device("/gpu:0"):
            w, v = tf.get_variable("w", [8, 8]), tf.get_variable("v", [8, 8])
            result = tf.nn.relu(tf.matmul(tf.nn.tanh(tf.matmul(x, w)), v))
            train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(result))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for _ in range(3):
                session.run(train)
        """,
    "function": """
        import numpy as np
        import tensorflow as tf
        x = tf.constant(np.random.RandomState(0).rand(4, 8).astype("f"))
        uniform = tf.keras.initializers.GlorotUniform()
        with tf.device("/gpu:0"):
            w, v = tf.Variable(uniform([8, 8])), tf.Variable(uniform([8, 8]))
        @tf.function
        def train():
            with tf.GradientTape() as tape:
                result = tf.nn.relu(tf.matmul(tf.nn.tanh(tf.matmul(x, w)), v))
                loss = tf.reduce_mean(result)
            for one, gradient in zip((w, v), tape.gradient(loss, (w, v))):
                one.assign_sub(0.1 * gradient)
        for _ in range(3):
            train()
        """,
    "wrapped": """
        import numpy as np
        import tensorflow as tf
        x = tf.constant(np.random.RandomState(0).rand(4, 8).astype("f"))
        def train():
            v1 = tf.compat.v1
            w, v = v1.get_variable("w", [8, 8]), v1.get_variable("v", [8, 8])
            result = tf.nn.relu(tf.matmul(tf.nn.tanh(tf.matmul(x, w)), v))
            v1.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(result))
        wrapped = tf.compat.v1.wrap_function(train, [])
        for _ in range(3):
            wrapped()
        """,
}
IN_EACH_OTHERS_PLACE = ("tf.nn.relu(tf.matmul(tf.nn.tanh(tf.matmul(x, w)), v))",
                        "tf.nn.relu(tf.matmul(tf.nn.tanh(tf.matmul(x, v)), w))")  # fmt: skip


@pytest.mark.parametrize("form", STACK)
def test_variables_of_one_shape_are_told_apart(server: Server, form: str) -> None:
    right = dedent(STACK[form])
    wrong = right.replace(*IN_EACH_OTHERS_PLACE)
    assert wrong != right
    before, same, swapped = (
        server.leg(text, GPUS, False, numbers=True)
        for text in (dedent(STACK["session"]), right, wrong)
    )
    assert {before.apart, same.apart, swapped.apart} == {"done"}
    assert compare_numbers(before, same).outcome is Outcome.MATCH
    assert compare_numbers(before, swapped).outcome is Outcome.MISMATCH
    alike = [server.leg(text, GPUS, False, numbers=True, alike=True) for text in (right, wrong)]
    found = compare_numbers(*alike)
    assert (found.outcome, "in another order" in found.reason) == (Outcome.INCONCLUSIVE, True)


@pytest.mark.parametrize("form", ["function", "wrapped"])
def test_a_function_without_results_is_a_step(server: Server, form: str) -> None:
    leg = server.leg(dedent(STACK[form]), GPUS, False)
    products = [item for step in leg.work for item in step.items if item.kind == "MatMul"]
    assert len(products) > 2, leg.work


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
        pytest.param([1, 2, 3], [5, 6, 7], Outcome.INCONCLUSIVE, id="begins elsewhere"),
    ],
)
def test_values_of_a_variable(before: list[float], after: list[float], outcome: Outcome) -> None:
    assert compare_numbers(leg(variable(*before)), leg(variable(*after))).outcome is outcome


@pytest.mark.parametrize(
    ("names", "outcome"),
    [
        pytest.param("wv", Outcome.MATCH, id="the same ones"),
        pytest.param("ab", Outcome.MATCH, id="other names"),
        pytest.param("vw", Outcome.INCONCLUSIVE, id="one in the place of the other"),
    ],
)
def test_variables_of_other_names_are_paired_by_their_values(names: str, outcome: Outcome) -> None:
    before = leg(variable(1, 2), variable(5, 6, name="v"))
    after = leg(variable(5, 6, name=names[1]), variable(1, 2, name=names[0]))
    assert compare_numbers(before, after).outcome is outcome


DRAWN = """
    import tensorflow as tf
    a, b = tf.random.normal([4, 4]), tf.random.normal([4, 4])
    w, v = tf.Variable(tf.ones([4, 4])), tf.Variable(tf.ones([4, 4]))
    for _ in range(2):
        w.assign_add(tf.matmul(a, b))
    """
OTHER_DRAWN = [
    pytest.param("matmul(a, b)", "matmul(b, a)", True, id="operands"),
    pytest.param("w.assign", "v.assign", False, id="variables that begin with the same numbers"),
]


@pytest.mark.parametrize(("old", "new", "drawn"), OTHER_DRAWN)
def test_tensors_of_one_value_are_told_apart(
    server: Server, old: str, new: str, drawn: bool
) -> None:
    right, wrong = dedent(DRAWN), dedent(DRAWN).replace(old, new)
    before, again, other = (
        server.leg(one, GPUS, False, numbers=True, drawn=drawn) for one in (right, right, wrong)
    )
    assert before.drawn
    assert compare_numbers(before, again).outcome is Outcome.MATCH
    assert compare_numbers(before, other).outcome in (Outcome.MISMATCH, Outcome.INCONCLUSIVE)


def test_what_cannot_be_computed_on_the_cpu_is_left_out() -> None:
    found = compare_numbers(leg(variable(1, 2)), leg(ended="timeout"))
    assert found.outcome is Outcome.IGNORED


@pytest.mark.parametrize(
    ("migrated", "outcome"), [(True, Outcome.IGNORED), (False, Outcome.INCONCLUSIVE)]
)
def test_more_constants_prove_nothing_where_no_numbers_are_computed(
    computed: Callable[[str], Observation], migrated: bool, outcome: Outcome
) -> None:
    leg = computed(text("counter", "eager"))
    more = Entry("constants", Outcome.IGNORED, "", "16", graph="step")
    aspects = [Aspect("configuration", [more]), Aspect("result", [])]
    scenario = Scenario("own", choose(GPUS))
    own = Comparison(scenario, leg, replace(leg, migrated=migrated), aspects)
    for numbers in (Outcome.IGNORED, Outcome.MATCH):
        found = added([own], Entry("numbers", numbers, "", "", "did not end in time"))[0]
        expected = outcome if numbers is Outcome.IGNORED else Outcome.IGNORED
        assert [one.outcome for one in found.aspects[0].entries] == [expected]
        assert [one.subject for one in found.aspects[1].entries] == ["numbers"]
