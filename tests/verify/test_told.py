"""What would act only behind the runs that are compared is compared as it was told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Outcome, Verdict

Judge = Callable[..., Verdict]

KERAS = """
import keras
import numpy as np
import tensorflow as tf

class Late(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if epoch == 500:
            with tf.device("/gpu:1"):
                tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))

schedule = keras.optimizers.schedules.PiecewiseConstantDecay([700], [0.1, 0.01])
late = [Late(), keras.callbacks.EarlyStopping("loss", patience=90)]
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(schedule, clipnorm=50.0), "mse", jit_compile=False)
model.fit(np.ones((8, 4)), np.ones((8, 1)), batch_size=4, verbose=0, callbacks=late)
"""
KERAS_2 = KERAS.replace("import keras\n", "import tf_keras as keras\n")

MONITORED = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
tf.set_random_seed(3)
with tf.device("/gpu:0"):
    w = tf.get_variable("w", [8, 8])
    loss = tf.reduce_sum(tf.matmul(w, w))
with tf.device("/cpu:0"):
    step = tf.train.get_or_create_global_step()
rate = tf.train.exponential_decay(0.1, step, 400, 0.9, staircase=True)
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)

class Late(tf.train.SessionRunHook):
    def end(self, session):
        session.run(w)

hooks = [tf.train.StopAtStepHook(last_step=30), Late()]
config = tf.ConfigProto(allow_soft_placement=True)
with tf.train.MonitoredTrainingSession(config=config, hooks=hooks) as session:
    while not session.should_stop():
        session.run(train)
"""

STEPS = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
w = tf.get_variable("w", [8, 8])
product = tf.matmul(w, w)
with tf.Session() as session:
    session.run(w.initializer)
    for step in range(40):
        if step == 30:
            session.run(product, options=None)
        session.run(product)
"""

SAVED = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
with tf.device("/gpu:0"):
    w = tf.get_variable("w", [8, 8])
step = tf.train.get_or_create_global_step()
saver = tf.train.Saver()
with tf.Session() as session:
    session.run([w.initializer, step.initializer])
    saver.save(session, "./model")
"""
SUPERVISED = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
with tf.device("/gpu:0"):
    w = tf.get_variable("w", [8, 8])
supervisor = tf.train.Supervisor(logdir="logs")
with supervisor.managed_session() as session:
    session.run(w)
"""
MANAGED = """
import tensorflow as tf
with tf.device("/gpu:0"):
    w = tf.Variable(tf.random.normal([8, 8]))
manager = tf.train.CheckpointManager(tf.train.Checkpoint(w=w), "./saved", max_to_keep=5)
manager.save()
"""

EAGER = """
import atexit, os
import tensorflow as tf
tf.random.set_seed(1)
with tf.device("/gpu:0"):
    w = tf.random.normal([64, 64])
def last(device):
    with tf.device(device):
        tf.matmul(w, w)
atexit.register(last, "/gpu:0")
"""


@pytest.fixture(scope="module")
def judged(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """Runs a program and what replacements make of it, each text once, and compares them."""
    known: dict[str, Observation] = {}

    def leg(text: str) -> Observation:
        if text not in known:
            path = Path(tmp_path_factory.mktemp("program"), "main.py")
            path.write_text(dedent(text), "utf-8")
            known[text] = server.leg(text, "sim:2x1GiB", False, path=path, keras_2=False)
        assert known[text].failure is None, known[text].failure
        return known[text]

    def run(text: str, *replaced: tuple[str, str]) -> Verdict:
        other = text
        for old, new in replaced:
            assert old in other
            other = other.replace(old, new)
        before, after = leg(text), leg(other)
        return Verdict("", True, before, after, compare(before, after, simulated=True))

    return run


@pytest.mark.parametrize(
    ("program", "old", "new", "words"),
    [
        (KERAS, "Late(), ", "", "callback: Callback with on_epoch_end"),
        (KERAS, "patience=90", "patience=91", "EarlyStopping: patience=90 | patience=91"),
        (KERAS, "[700]", "[701]", "learning_rate.boundaries=[700]"),
        (KERAS, "clipnorm=50.0", "clipnorm=60.0", "SGD: clipnorm=50.0"),
        (KERAS, "verbose=0", "verbose=0, shuffle=False", "fit: shuffle=True | shuffle=False"),
        (KERAS_2, "verbose=0", "verbose=0, shuffle=False", "fit: shuffle=True | shuffle=False"),
        (KERAS_2, "patience=90", "patience=91", "EarlyStopping: patience=90 | patience=91"),
        (KERAS_2, "[700]", "[701]", "learning_rate.boundaries=[700]"),
        (MONITORED, "last_step=30", "last_step=31", "StopAtStepHook: _last_step=30"),
        (MONITORED, ", Late()]", "]", "hook: SessionRunHook with end"),
        (MONITORED, "tf.set_random_seed(3)", "", "seed of random numbers"),
        (
            STEPS,
            "options=None",
            "options=tf.RunOptions(timeout_in_ms=5000)",
            "timeout_in_ms: 5000",
        ),
        (SAVED, "Saver()", "Saver(max_to_keep=1)", "saver: Saver: _max_to_keep=5"),
        (SAVED, "Saver()", "Saver(tf.global_variables(), max_to_keep=2)", "_max_to_keep=2"),
        (SUPERVISED, '"logs"', '"logs", save_model_secs=9000', "_save_model_secs=9000"),
        (SUPERVISED, '"logs"', '"logs", save_summaries_secs=0', "_save_summaries_secs=0"),
        (MANAGED, "max_to_keep=5", "max_to_keep=5, keep_checkpoint_every_n_hours=2", "hours=2"),
        (EAGER, "tf.random.set_seed(1)", "", "seed of random numbers"),
        (EAGER, 'last, "/gpu:0"', 'last, "/gpu:1"', "GPU:1"),
        (EAGER, 'last, "/gpu:0"', "os._exit, 5", "exit status 5"),
    ],
)
def test_what_would_act_later(judged: Judge, program: str, old: str, new: str, words: str) -> None:
    found = judged(program, (old, new))
    assert found.outcome is Outcome.MISMATCH, describe(found)
    assert words in describe(found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("raise ValueError('late')", "raise KeyError('late')"),
        ("raise ValueError('late')", "raise SystemExit(3)"),
        ("raise SystemExit(3)", "import os; os._exit(4)"),
    ],
)
def test_other_ends_behind_the_steps(judged: Judge, one: str, other: str) -> None:
    found = judged(f"{STEPS}{one}\n", (one, other))
    assert found.outcome is Outcome.INCONCLUSIVE, describe(found)
    assert "behind the wanted steps the sides end differently" in describe(found)
    again = judged(f"{STEPS}{one}\n", ("(product, options=None)", "(product)"))
    assert again.outcome is Outcome.MATCH, describe(again)


def test_a_number_in_a_graph_that_decides_later(judged: Judge) -> None:
    found = judged(MONITORED, ("step, 400", "step, 500"))
    assert found.outcome is Outcome.INCONCLUSIVE, describe(found)
    assert "constants: 400 | 500" in describe(found)


@pytest.mark.parametrize(
    ("program", "old", "new"),
    [
        (KERAS, "Late", "Evaluation"),
        (KERAS, "verbose=0", "verbose=0, shuffle=True"),
        (
            KERAS_2,
            "import tf_keras as keras",
            "from tf_keras import callbacks\nimport tf_keras as keras",
        ),
        (MONITORED, "Late", "Evaluation"),
        (SAVED, "Saver()", "Saver(tf.global_variables(), max_to_keep=5)"),
        (EAGER, "atexit.register(last", "atexit.register(lambda device: last(device)"),
    ],
)
def test_other_spellings_match(judged: Judge, program: str, old: str, new: str) -> None:
    found = judged(program, (old, new))
    assert found.outcome is Outcome.MATCH, describe(found)
