"""A graph that becomes eager code: work is shared out alike, or there is no match."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, indent

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Outcome, Verdict

V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
V2 = "import tensorflow as tf\n"
WEIGHTS = """
with tf.device("/cpu:0"):
    weights = [tf.Variable(tf.ones([32, 32])) for _ in range(LAYERS)]
def tower(gpu, repeat=1):
    with tf.device(f"/gpu:{gpu}"):
        x = tf.random.uniform([16, 32])
        for _ in range(repeat):
            for weight in weights:
                x = tf.matmul(x, weight)
        return tf.reduce_sum(x)
"""
SESSION = (
    V1
    + WEIGHTS
    + """
losses = TOWERS
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(4):
        session.run(losses)
"""
)
EAGER = (
    V2
    + "tf.config.set_soft_device_placement(False)\n"
    + WEIGHTS
    + """
def step():
    return TOWERS
for _ in range(4):
    step()
"""
)
FUNCTION = EAGER.replace("def step", "@tf.function\ndef step")

Compare = Callable[[str, str], Verdict]


@pytest.fixture(scope="module")
def compared(server: Server) -> Compare:
    """Runs two programs on two simulated GPUs, the first one once, and compares them."""
    known: dict[str, Observation] = {}

    def run(before: str, after: str) -> Verdict:
        left = known.get(before) or server.leg(dedent(before), "sim:2", False)
        known[before], right = left, server.leg(dedent(after), "sim:2", False)
        return Verdict("", True, left, right, compare(left, right, simulated=True))

    return run


def program(form: str, towers: str = "[tower(0), tower(1)]", layers: int = 3) -> str:
    return form.replace("TOWERS", towers).replace("LAYERS", str(layers))


@pytest.mark.parametrize("form", [FUNCTION, EAGER], ids=["function", "eager"])
def test_towers(compared: Compare, form: str) -> None:
    right = compared(program(SESSION), program(form))
    placement = right.aspects[2]
    assert placement.outcome is Outcome.MATCH, describe(right)
    for towers, layers in (
        ("[tower(0, 2), tower(1)]", 3),
        ("[tower(1), tower(0)]", 3),
        ("[tower(0), tower(1)]", 2),
        ("[tower(0), tower(0)]", 3),
    ):
        wrong = compared(program(SESSION), program(form, towers, layers))
        assert wrong.aspects[2].outcome is not Outcome.MATCH, (towers, layers)
        assert wrong.outcome is not Outcome.MATCH


OTHER_STEP = {
    SESSION: "    for _ in range(2):\n        session.run(losses[1])\n",
    FUNCTION: "@tf.function\ndef other():\n    return tower(1)\nfor _ in range(2):\n    other()\n",
    EAGER: "for _ in range(2):\n    tower(1)\n",
}


@pytest.mark.parametrize("before", [SESSION, FUNCTION], ids=["session", "function"])
@pytest.mark.parametrize("after", OTHER_STEP, ids=["session", "function", "eager"])
def test_two_steps_that_take_each_others_number_of_runs(
    compared: Compare, before: str, after: str
) -> None:
    texts = [
        program(form.replace("(losses)", "(losses[0])"), towers, 1) + OTHER_STEP[form]
        for form in (before, after)
        for towers in ["[tower(0), tower(1)]" if form == SESSION else "tower(0)"]
    ]
    right = compared(*texts)
    assert right.aspects[2].outcome is Outcome.MATCH, describe(right)
    swapped = texts[1].replace("range(4)", "range(0)").replace("range(2)", "range(4)")
    wrong = compared(texts[0], swapped.replace("range(0)", "range(2)"))
    assert "often" in describe(wrong), describe(wrong)
    assert wrong.outcome is not Outcome.MATCH


FUNCTIONS = """
@tf.function
def first(x):
    with tf.device("/gpu:{}"):
        return tf.matmul(x, x)
@tf.function
def second(x):
    with tf.device("/gpu:{}"):
        return tf.matmul(x, x)
first(tf.ones([64, 64]))
second(tf.ones([64, 64]))
"""
RUNS = """
with tf.device("/gpu:{}"):
    first = tf.matmul(tf.random.uniform([64, 64]), tf.ones([64, 64]))
with tf.device("/gpu:{}"):
    second = tf.matmul(tf.random.uniform([64, 64]), tf.ones([64, 64]))
session = tf.Session()
session.run(first)
session.run(second)
"""


@pytest.mark.parametrize("before", [V2 + FUNCTIONS, V1 + RUNS], ids=["functions", "session"])
def test_swapped_functions(compared: Compare, before: str) -> None:
    right = compared(before.format(0, 1), V2 + FUNCTIONS.format(0, 1))
    assert right.aspects[2].outcome is Outcome.MATCH, describe(right)
    wrong = compared(before.format(0, 1), V2 + FUNCTIONS.format(1, 0))
    assert wrong.outcome is not Outcome.MATCH
    assert wrong.aspects[2].outcome is not Outcome.MATCH, describe(wrong)


def test_functions_of_one_name(compared: Compare) -> None:
    maker = "def make(number):\n" + indent(
        "@tf.function\ndef step(x):\n    with tf.device('/gpu:%d' % number):\n"
        "        return tf.matmul(x, x)\nreturn step\n",
        "    ",
    )
    text = V2 + maker + "for number in {}:\n    make(number)(tf.ones([64, 64]))\n"
    right = compared(text.format("(0, 1)"), text.format("(0, 1)"))
    assert right.outcome is Outcome.MATCH, describe(right)
    wrong = compared(text.format("(0, 1)"), text.format("(1, 0)"))
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)
