"""Functions that are traced several times: which trace ran where, and how often."""

from __future__ import annotations

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.verdict import Outcome, Verdict

BY_SHAPE = """
import tensorflow as tf
@tf.function
def product(one):
    with tf.device("/gpu:1" if {} else "/gpu:0"):
        return tf.matmul(one, one)
for size in (8, 16, 24, 32):
    product(tf.ones([size, size]))
"""
BY_TYPE = """
import tensorflow as tf
@tf.function
def product(one):
    with tf.device("/gpu:1" if {} else "/gpu:0"):
        return tf.matmul(one, one)
for kind in (tf.float16, tf.float32):
    product(tf.ones([8, 8], kind))
"""
LAYER = """
import tensorflow as tf
class Product(tf.keras.layers.Layer):
    def call(self, one):
        with tf.device("/gpu:1" if {} else "/gpu:0"):
            return tf.matmul(one, tf.ones([8, 8]))
model = tf.function(tf.keras.Sequential([Product()]))
for size in (16, 32):
    model(tf.ones([size, 8]))
"""
STRATEGY = """
import tensorflow as tf
strategy = tf.distribute.OneDeviceStrategy("/gpu:0")
def product(one):
    with tf.device("/gpu:1" if {} else "/gpu:0"):
        return tf.matmul(one, tf.ones([8, 8]))
@tf.function
def step(one):
    return strategy.run(product, args=(one,))
for size in (16, 32):
    step(tf.ones([size, 8]))
"""
MOVED = {
    "shape": (BY_SHAPE, "one.shape[0] > 8", "one.shape[0] > 16"),
    "cpu": (BY_SHAPE.replace("gpu:1", "cpu:0"), "one.shape[0] > 8", "one.shape[0] > 16"),
    "swapped": (BY_SHAPE, "one.shape[0] > 16", "one.shape[0] <= 16"),
    "type": (BY_TYPE, "one.dtype == tf.float16", "one.dtype == tf.float32"),
    "layer": (LAYER, "one.shape[0] == 16", "one.shape[0] == 32"),
    "strategy": (STRATEGY, "one.shape[0] == 16", "one.shape[0] == 32"),
}
BY_ARGUMENT = """
import tensorflow as tf
@tf.function
def product(one, gpu):
    with tf.device(f"/gpu:{{gpu}}"):
        return tf.matmul(one, one)
for gpu in {}:
    product(tf.ones([8, 8]), gpu)
"""
BATCHES = """
import tensorflow as tf
@tf.function{}
def product(one):
    with tf.device("/gpu:0"):
        return tf.matmul(one, tf.ones([8, 8]))
for size in {}:
    product(tf.ones([size, 8]))
"""
AROUND = """
import tensorflow as tf
@tf.function
def product(one):
    return tf.matmul(one, one)
one = tf.ones([8, 8])
for gpu in {}:
    with tf.device(f"/gpu:{{gpu}}"):
        product(one)
"""
THREADS = """
import threading
import tensorflow as tf
@tf.function
def product(one, gpu):
    with tf.device(f"/gpu:{gpu}"):
        return tf.matmul(one, one)
def work(gpu):
    product(tf.ones([8, 8]), gpu)
threads = [threading.Thread(target=work, args=(gpu,)) for gpu in GPUS]
for thread in threads:
    thread.start()
    thread.join()
"""


def compared(server: Server, before: str, after: str) -> Verdict:
    legs = [server.leg(text, "sim:2x1GiB", False) for text in (before, after)]
    return Verdict("", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))


@pytest.mark.parametrize(("program", "one", "other"), MOVED.values(), ids=MOVED)
def test_a_device_that_is_that_of_another_trace(
    server: Server, program: str, one: str, other: str
) -> None:
    before = program.format(one)
    same = compared(server, before, before + "# again\n")
    assert same.outcome is Outcome.MATCH, describe(same)
    verdict = compared(server, before, program.format(other))
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)
    assert "in the traces for these shapes, on other devices" in describe(verdict)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([0, 0, 1], [0, 1, 1]),  # a GPU does more
        ([0, 1], [1, 0]),  # two are swapped
    ],
)
@pytest.mark.parametrize("program", [BY_ARGUMENT, AROUND], ids=["argument", "around"])
def test_traces_for_the_same_shapes(
    server: Server, program: str, one: list[int], other: list[int]
) -> None:
    before = program.format(one)
    same = compared(server, before, before + "# again\n")
    assert same.outcome is Outcome.MATCH, describe(same)
    verdict = compared(server, before, program.format(other))
    assert verdict.outcome is not Outcome.MATCH, describe(verdict)
    assert "traces: " in describe(verdict)


def test_a_trace_behind_many_runs_of_another(server: Server) -> None:
    """The device around a call belongs to what is run again and again."""
    many = [0] * 7
    before = AROUND.format([*many, 1, 1])
    verdict = compared(server, before, AROUND.format([*many, 0, 0]))
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)


@pytest.mark.parametrize("sizes", [[8, 8, 4], [8, 8, 4, 2]])
def test_one_trace_more_for_a_smaller_batch(server: Server, sizes: list[int]) -> None:
    """It is the same work, on the same device."""
    signature = "(input_signature=[tf.TensorSpec([None, 8])])"
    once = BATCHES.format(signature, sizes)
    verdict = compared(server, BATCHES.format("", sizes), once)
    assert verdict.outcome is Outcome.MATCH, describe(verdict)
    relaxed = BATCHES.format("(reduce_retracing=True)", sizes)
    verdict = compared(server, relaxed, BATCHES.format("", sizes))
    assert verdict.outcome is Outcome.MATCH, describe(verdict)


def test_traces_of_which_none_answers_to_another(server: Server) -> None:
    program = BY_SHAPE.format("one.shape[0] > 16")
    for sizes in ("25, 32", "32, 32"):
        verdict = compared(server, program, program.replace("24, 32", sizes))
        assert verdict.outcome is not Outcome.MATCH, describe(verdict)
        assert "depends on the trace" in describe(verdict)


def test_threads_that_trace_by_chance(server: Server) -> None:
    before, after = (THREADS.replace("GPUS", gpus) for gpus in ("(0, 1)", "(1, 0)"))
    verdict = compared(server, before, after)
    assert verdict.outcome is Outcome.MATCH, describe(verdict)
