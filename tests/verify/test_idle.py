"""Sessions and eager contexts that nothing runs in: what they are told decides on nothing."""

from __future__ import annotations

import pytest

from tests.verify.server import Compare, describe
from tfgpu.verify.verdict import Outcome

V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
GRAPH = """
x = tf.placeholder(tf.float32, [None, 8])
y = tf.matmul(x, tf.get_variable("w", [8, 4]))
session = tf.Session(config={})
session.run(tf.global_variables_initializer())
session.run(y, {{x: [[1.0] * 8] * 2}})
"""
SAVE = "tf.saved_model.simple_save(session, 'export', {'x': x}, {'y': y})\n"
CONFIG = "tf.ConfigProto({})"
GROWTH = (
    "for gpu in tf.config.experimental.list_physical_devices('GPU'):\n"
    "    tf.config.experimental.set_memory_growth(gpu, True)\n"
)
SETTINGS = [
    ("gpu_options=tf.GPUOptions(allow_growth=True)", GROWTH),
    ("allow_soft_placement=True", "tf.config.set_soft_device_placement(True)\n"),
    (
        "device_count={'GPU': 0}",
        "tf.config.set_visible_devices([], 'GPU')\n",
    ),
]
THREADS = (
    "inter_op_parallelism_threads=3",
    "tf.config.threading.set_inter_op_parallelism_threads(3)\n",
)
EAGER = """
from tensorflow.python.eager import context
with context.eager_mode():
    tf.matmul(tf.ones([8, 8]), tf.ones([8, 8]))
"""
PY_FUNCTION = """
def double(value):
    return value * 2
session.run(tf.py_function(double, [y], tf.float32), {x: [[1.0] * 8] * 2})
"""
FIRST = "from tensorflow.python.eager import context\ncontext.ensure_initialized()\n"


@pytest.mark.parametrize(("option", "setting"), SETTINGS, ids=["growth", "soft", "hidden"])
def test_a_context_that_only_saves(compared: Compare, option: str, setting: str) -> None:
    before = V1 + GRAPH.format(CONFIG.format(option)) + SAVE
    found = compared(before, V1 + setting + GRAPH.format("None") + SAVE)
    assert found.outcome is Outcome.MATCH, describe(found)


@pytest.mark.parametrize(
    ("work", "told", "words"),
    [
        (EAGER, THREADS, "inter_op_parallelism_threads"),
        (PY_FUNCTION, SETTINGS[1], "allow_soft_placement"),
    ],
    ids=["eager code", "py_function"],
)
def test_a_context_that_something_runs_in(
    compared: Compare, work: str, told: tuple[str, str], words: str
) -> None:
    option, setting = told
    before = V1 + GRAPH.format(CONFIG.format(option)) + work
    found = compared(before, V1 + setting + GRAPH.format("None") + work)
    assert words in describe(found)
    assert found.outcome is Outcome.MISMATCH


def test_a_context_that_makes_the_gpus(compared: Compare) -> None:
    option, setting = SETTINGS[0]
    before = V1 + FIRST + GRAPH.format(CONFIG.format(option)) + SAVE
    found = compared(before, V1 + setting + FIRST + GRAPH.format("None") + SAVE)
    assert found.outcome is Outcome.MISMATCH, describe(found)
    hidden = compared(
        V1 + SETTINGS[2][1] + GRAPH.format("None") + SAVE,
        V1 + GRAPH.format(CONFIG.format(SETTINGS[2][0])) + SAVE,
    )
    assert hidden.outcome is Outcome.MISMATCH, describe(hidden)


KERAS = """
import numpy as np
import tensorflow as tf
{}
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(8,))])
model.compile("sgd", "mse")
model.fit(np.ones([16, 8], "float32"), np.ones([16, 4], "float32"), verbose=0)
"""
SET_SESSION = """
from tensorflow.compat.v1.keras.backend import set_session
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
set_session(tf.compat.v1.Session(config=config))
"""


def test_a_session_that_nothing_runs_in(compared: Compare) -> None:
    found = compared(KERAS.format(SET_SESSION), KERAS.format(GROWTH))
    assert found.outcome is Outcome.MATCH, describe(found)
    found = compared(KERAS.format(SET_SESSION), KERAS.format(""))
    assert found.outcome is Outcome.MISMATCH, describe(found)


def test_threads_of_sessions_that_run(compared: Compare) -> None:
    before = V1 + GRAPH.format(CONFIG.format(THREADS[0]))
    found = compared(before, V1 + GRAPH.format("None"))
    assert found.outcome is Outcome.MISMATCH, describe(found)
    assert "inter_op_parallelism_threads decides" in describe(found)
