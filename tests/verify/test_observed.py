"""What a leg shows beside its devices: settings, servers, use of memory."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.verdict import Outcome, Verdict

V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
V2 = "import tensorflow as tf\n"
EAGER = """
with tf.device("/gpu:0"):
    matrix = tf.random.uniform([64, 64])
    result = tf.reduce_sum(tf.matmul(matrix, matrix))
"""

Compare = Callable[[str, str], Verdict]


@pytest.fixture
def compared(server: Server) -> Compare:
    """Runs two programs on two simulated GPUs and compares them; the same one runs twice."""

    def run(before: str, after: str) -> Verdict:
        legs = [server.leg(dedent(text), "sim:2x1GiB", False) for text in (before, after)]
        return Verdict("", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))

    return run


def check_pair(compared: Compare, before: str, after: str, words: str) -> None:
    """Check that a wrong pair is no match, for the reason given, and that a program is its like."""
    wrong = compared(before, after)
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)
    assert words in describe(wrong)
    same = compared(before, before)
    assert same.outcome is Outcome.MATCH, describe(same)


# --- settings that no device shows ---

LOGICAL = """
for gpu in tf.config.list_physical_devices("GPU"):
    part = tf.config.LogicalDeviceConfiguration
    tf.config.set_logical_device_configuration(
        gpu, [part(1000, experimental_priority={}), part(1000, experimental_priority=0)])
"""


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (EAGER + "tf.config.optimizer.set_jit(True)\n", "global_jit_level"),
        (
            EAGER + "tf.config.optimizer.set_experimental_options({'layout_optimizer': False})\n",
            "layout_optimizer",
        ),
        ("tf.config.experimental.set_device_policy('explicit')\n" + EAGER, "device policy"),
        (EAGER + "tf.config.experimental.set_synchronous_execution(False)\n", "asynchronous"),
        ("tf.config.run_functions_eagerly(True)\n" + EAGER, "tf.function"),
        (LOGICAL.format(-1) + EAGER, "[-1, 0]"),
    ],
    ids=["jit", "optimizers", "device policy", "asynchronous", "functions", "priorities"],
)
def test_settings(compared: Compare, setting: str, words: str) -> None:
    other = LOGICAL.format(0) + EAGER if "part(" in setting else EAGER
    check_pair(compared, V2 + setting, V2 + other, words)


SERVER = """
cluster = {{"worker": ["localhost:0"]}}
server = tf.train.Server(cluster, job_name="worker", task_index=0, config=tf.ConfigProto({}))
with tf.device("/gpu:0"):
    result = tf.reduce_sum(tf.random.uniform([64, 64]))
tf.Session(server.target).run(result)
"""


@pytest.mark.parametrize(
    "option", ["allow_soft_placement=True", "gpu_options=tf.GPUOptions(allow_growth=True)"]
)
def test_the_config_of_a_server(compared: Compare, option: str) -> None:
    words = "allow_soft_placement" if "soft" in option else "allow_growth"
    check_pair(compared, V1 + SERVER.format(option), V1 + SERVER.format(""), words)


# --- use of memory ---

GRAPH = """
with tf.device("/gpu:0"):
    matrix = tf.random.uniform([{size}, {size}])
    result = tf.reduce_sum(tf.matmul(matrix, matrix))
session = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth={growth})))
session.run(result)
"""


@pytest.mark.parametrize("growth", [True, False])
def test_use_of_memory(compared: Compare, growth: bool) -> None:
    before, after = (V1 + GRAPH.format(size=size, growth=growth) for size in (1000, 1040))
    check_pair(compared, before, after, "peak of use")


FED = """
fed = tf.placeholder(tf.float32, [None, 8])
with tf.device("/gpu:0"):
    result = tf.reduce_sum(tf.nn.relu(fed + 1.0))
session = tf.Session()
for rows in (64, 64, {rows}, 64):
    session.run(result, {{fed: [[1.0] * 8] * rows}})
"""


def test_use_of_memory_of_a_later_run(compared: Compare) -> None:
    before, after = (V1 + FED.format(rows=rows) for rows in (64, 60000))
    check_pair(compared, before, after, "results of operations")


LATER = """
x = tf.placeholder(tf.float32, [None, 16])
w = tf.get_variable("w", [16, 16])
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(tf.matmul(x, w)))
config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    for step in range(30):
        rows = {first} if step < {switch} else {later}
        session.run(train, {{x: [[0.0] * 16] * rows}})
"""
FUNCTION = """
@tf.function(input_signature=[tf.TensorSpec([None, 16])])
def step(x):
    return tf.reduce_sum(tf.matmul(x, w))

w = tf.Variable(tf.zeros([16, 16]))
for number in range(30):
    step(tf.zeros([{first} if number < {switch} else {later}, 16]))
"""


@pytest.mark.parametrize("program", [V1 + LATER, V2 + FUNCTION])
@pytest.mark.parametrize(("first", "switch", "later"), [(64, 20, 65), (65, 30, 64)])
def test_shapes_that_a_step_is_fed(
    compared: Compare, program: str, first: int, switch: int, later: int
) -> None:
    before = program.format(first=64, switch=30, later=64)
    after = program.format(first=first, switch=switch, later=later)
    check_pair(compared, before, after, "shapes fed")


VARYING = """
x = tf.placeholder(tf.float32, [None, 16])
train = tf.reduce_sum(tf.matmul(x, tf.transpose(x)))
with tf.Session() as session:
    for step in range({runs}):
        session.run(train, {{x: [[0.0] * 16] * (step % {shapes} + 1)}})
"""


@pytest.mark.parametrize(
    ("runs", "shapes", "outcome"),
    [(42, 7, Outcome.INCONCLUSIVE), (42, 3, Outcome.MISMATCH), (40, 7, Outcome.MISMATCH)],
)
def test_shapes_that_vary(compared: Compare, runs: int, shapes: int, outcome: Outcome) -> None:
    before = V1 + VARYING.format(runs=40, shapes=8)
    verdict = compared(before, V1 + VARYING.format(runs=runs, shapes=shapes))
    found = {one.subject: one.outcome for aspect in verdict.aspects for one in aspect.entries}
    assert found["shapes fed"] is outcome, describe(verdict)


SESSIONS = """
with tf.device("/gpu:0"):
    matrix = tf.get_variable("matrix", [1000, 1000])
    result = tf.matmul(matrix, matrix)
first = tf.Session()
first.run(matrix.initializer)
first.run(result)
{between}
second = tf.Session()
second.run(matrix.initializer)
second.run(result)
"""


def test_what_a_session_keeps_is_no_chance(compared: Compare) -> None:
    closed = V1 + SESSIONS.format(between="first.close()\ndel first")
    found = compared(closed, V1 + SESSIONS.format(between=""))
    assert found.outcome is Outcome.INCONCLUSIVE, describe(found)
    assert "the sides hold other sizes at their end" in describe(found)
    again = compared(closed, closed)
    assert again.outcome is Outcome.MATCH, describe(again)


def test_use_of_memory_in_eager_code(compared: Compare) -> None:
    check_pair(compared, V2 + EAGER, V2 + EAGER.replace("64", "256"), "peak of use")


def test_an_allocator_without_statistics(server: Server) -> None:
    """What it takes of the driver is compared all the same."""
    variables = {"TF_GPU_ALLOCATOR": "cuda_malloc"}
    one, same, other = (
        server.leg(V2 + EAGER.replace("64", size), "sim:2x1GiB", False, variables=variables)
        for size in ("64", "64", "256")
    )
    for leg, outcome in ((same, Outcome.MATCH), (other, Outcome.MISMATCH)):
        verdict = Verdict("", True, one, leg, compare(one, leg, simulated=True))
        assert verdict.outcome is outcome, describe(verdict)
    assert not list(one.trouble) and not one.allocator


# --- programs that take the recorder's files away ---


@pytest.mark.parametrize("first", [3, 0])
def test_closed_files_hide_nothing(compared: Compare, first: int) -> None:
    def program(cards: str) -> str:
        options = f"gpu_options=tf.GPUOptions(visible_device_list={cards!r})"
        config = f"config=tf.ConfigProto({options})"
        session = f"session = tf.Session({config})\n"
        close = f"import os\nos.closerange({first}, 4096)\nfiles = [open('/dev/null')] * 9\n"
        return close + V1 + EAGER + session + close + "session.run(result)\n"

    check_pair(compared, program("0,1"), program("1,0"), "visible_device_list")


def test_a_program_may_replace_what_writes_its_record(compared: Compare) -> None:
    replaced = "import functools, json\njson.dumps = functools.partial(json.dumps, indent=2)\n"
    found = compared(V2 + replaced + EAGER, V2 + replaced + EAGER)
    assert found.outcome is Outcome.MATCH, describe(found)


INNER = """
def score(values):
    with tf.Graph().as_default(), tf.Session() as inner:
        return inner.run(tf.reduce_sum(tf.constant(values)))


with tf.device("/gpu:0"):
    x = tf.random_uniform([8])
y = tf.py_func(score, [x], tf.float32)
"""
OWN = "config = tf.ConfigProto()\nconfig.gpu_options.allow_growth = True\n"
SET = "for gpu in tf.config.list_physical_devices('GPU'):\n"
SET += "    tf.config.experimental.set_memory_growth(gpu, True)\n"
FIRST = "from tensorflow.python.eager import context\ncontext.context().ensure_initialized()\n"


def test_growth_of_a_session_inside_of_an_operation(compared: Compare) -> None:
    """Its GPUs are made by the session around it, whatever eager context its operation makes."""
    before = f"{V1}{INNER}{OWN}tf.Session(config=config).run(y)\n"
    after = f"{V1}{INNER}{SET}tf.Session().run(y)\n"
    found = compared(before, after)
    assert found.outcome is Outcome.MATCH, describe(found)
    late = f"{V1}{INNER}{FIRST}{OWN}tf.Session(config=config).run(y)\n"
    assert compared(late, after).outcome is Outcome.MISMATCH
