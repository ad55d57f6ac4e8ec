"""What GPUs are given to do: the branch of a graph that runs, and how often a loop does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.compare.gpu_work import compare_gpu_work
from tfgpu.verify.verdict import Outcome, Verdict

V1 = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
{}
def on(device):
    with tf.device(device):
        one = tf.random_uniform([32, 32])
        return tf.matmul(one, one)
asked = tf.placeholder(tf.bool, [])
result = tf.cond(asked, lambda: on("/gpu:0"), lambda: on("/gpu:1"))
with tf.Session() as session:
    for step in range(4):
        session.run(result, {{{{asked: {{}}}}}})
"""
FUNCTION = """
import tensorflow as tf
one = tf.ones([32, 32])
def on(device):
    with tf.device(device):
        return tf.matmul(one, one)
@tf.function
def step(asked):
    return tf.cond(asked, lambda: on("/gpu:0"), lambda: on("/{}"))
for number in range(4):
    step(tf.constant({{}}))
"""
LOOP = """
import tensorflow as tf
@tf.function
def step(count, one):
    for _ in tf.range(count):
        with tf.device("/gpu:1"):
            one = tf.matmul(one, one)
    return one
for number in range(3):
    step(tf.constant({}), tf.ones([32, 32]))
"""
THREADS = """
import threading
import tensorflow as tf
matrices = tf.ones([16, 16]), tf.ones([8, 32])
def work(one, device):
    with tf.device(device):
        for _ in range(4):
            tf.matmul(one, one, transpose_b=True)
threads = [threading.Thread(target=work, args=both) for both in zip(matrices, {})]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
WORKERS = """
import multiprocessing
def work(number):
    import tensorflow as tf
    size = 16 if number % 2 else 256
    with tf.device(f"/gpu:{{{}}}"):
        one = tf.ones([size, size])
        tf.matmul(one, one)
    return size
if __name__ == "__main__":
    with POOL as pool:
        print(list(pool.map(work, range(2), chunksize=1)))
"""
FORKS = "multiprocessing.get_context('fork').Pool(2, maxtasksperchild=1)"
FUTURES = "__import__('concurrent.futures').futures.ProcessPoolExecutor(2)"
AT_ONCE = """
import threading
import tensorflow as tf
one = tf.ones([16, 16])
def work(number):
    with tf.device(f"/gpu:{{number}}"):
        tf.matmul(one, one)
    with tf.device({}):
        tf.nn.softmax(one)
threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
MOVED = {
    "session": (V1.format(""), "step % 2 == 0", "step % 2 != 3"),
    "control flow of version 1": (
        V1.format("tf.disable_control_flow_v2()"), "len(str(step)) == 1", "len(str(step)) != 1",
    ),
    "function": (FUNCTION.format("gpu:1"), "bool(number + 1)", "not number + 1"),
    "function alternates": (FUNCTION.format("gpu:1"), "number % 2 == 0", "number >= 0"),
    "function on the CPU": (FUNCTION.format("cpu:0"), "number >= 0", "number < 0"),
    "loop": (LOOP, "number + 1", "number * number + 1"),
    "threads": (THREADS, '("/gpu:0", "/gpu:1")', '("/gpu:1", "/gpu:0")'),
    "pool": (WORKERS.replace("POOL", FORKS), "number % 2", "1 - number % 2"),
    "executor": (WORKERS.replace("POOL", FUTURES), "number % 2", "1 - number % 2"),
}  # fmt: skip
SAME = {
    "session": (V1.format(""), "step % 2 == 0", "not step % 2"),
    "function": (FUNCTION.format("gpu:1"), "number % 2 == 0", "not number % 2"),
    "loop": (LOOP, "number + 1", "1 + number"),
    "threads": (THREADS, '("/gpu:0", "/gpu:1")', '["/gpu:0", "/gpu:1"]'),
    "pool": (WORKERS.replace("POOL", FORKS), "number % 2", "(number + 2) % 2"),
    "executor": (WORKERS.replace("POOL", FUTURES), "number % 2", "(number + 2) % 2"),
    "operations of threads": (AT_ONCE, "f'/cpu:0'", "'/cpu:0'"),
}


def compared(server: Server, text: str, *variants: str) -> Verdict:
    legs = [server.leg(text.format(one), "sim:2x1GiB", False) for one in variants]
    return Verdict("", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))


@pytest.mark.parametrize(("text", "before", "after"), MOVED.values(), ids=MOVED)
def test_other_work_is_a_mismatch(server: Server, text: str, before: str, after: str) -> None:
    verdict = compared(server, text, before, after)
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)
    subjects = {entry.subject for aspect in verdict.aspects for entry in aspect.entries}
    assert "work" in subjects, describe(verdict)


@pytest.mark.parametrize(("text", "before", "after"), SAME.values(), ids=SAME)
def test_the_same_work_matches(server: Server, text: str, before: str, after: str) -> None:
    verdict = compared(server, text, before, after)
    assert verdict.outcome is Outcome.MATCH, describe(verdict)


QUEUE = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
queue = tf.FIFOQueue(20, [tf.float32], shapes=[[8]])
with tf.device("/gpu:0"):
    noise = tf.random_uniform([8])
tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue([noise])]))
batch = queue.dequeue_many(4)
with tf.device("/gpu:0"):
    out = tf.matmul(batch, batch, transpose_b=True)
with tf.Session() as session:
    threads = tf.train.Coordinator()
    started = tf.train.start_queue_runners(session, threads)
    for _ in range({}):
        session.run(out)
    threads.request_stop()
    threads.join(started)
"""


@pytest.mark.parametrize(
    ("migrated", "outcome"), [(True, Outcome.IGNORED), (False, Outcome.INCONCLUSIVE)]
)
def test_how_often_a_queue_is_filled_is_chance(
    server: Server, migrated: bool, outcome: Outcome
) -> None:
    before, after = (server.leg(QUEUE.format(steps), "sim:1x1GiB", False) for steps in (2, 4))
    assert before.fills_queues
    found = list(compare_gpu_work(before, replace(after, migrated=migrated)))
    assert [entry.outcome for entry in found] == [outcome]


@pytest.mark.parametrize("device", ["'/gpu:0'", "f'/gpu:{1 - number}'"])
def test_operations_of_threads_have_devices(server: Server, device: str) -> None:
    verdict = compared(server, AT_ONCE, "'/cpu:0'", device)
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)


def test_work_is_counted_by_name_and_size(server: Server) -> None:
    leg = server.leg(LOOP.format("number + 1"), "sim:2x1GiB", False)
    counts = [
        sum(count for name, (count, _) in work.items() if name.startswith("cublas"))
        for _, work in sorted(leg.launches.items())
    ]
    assert counts[-1] == 1 + 2 + 3


COMPILED = """
import tensorflow as tf
@tf.function(jit_compile=True)
def step(count, one):
    for _ in tf.range(count):
        one = tf.matmul(one, one) * 0.5
    return one
for number in range(3):
    step(tf.constant(number + 2), tf.ones([16 + number, 16 + number]))
"""
ENABLE = "--xla_gpu_graph_min_graph_size=1 --xla_gpu_enable_command_buffer="


def test_work_counts_when_a_cuda_graph_is_launched(server: Server) -> None:
    found = [
        server.leg(COMPILED, "sim:2x1GiB", False, variables={"XLA_FLAGS": ENABLE + kinds}).launches
        for kinds in ("", "FUSION,CUBLAS")
    ]
    assert found[0] and found[0] == found[1]


def test_branches_and_loops_in_cuda_graphs_run(server: Server) -> None:
    kinds = "FUSION,CUBLAS,CONDITIONAL,WHILE"
    leg = server.leg(COMPILED, "sim:2x1GiB", False, variables={"XLA_FLAGS": ENABLE + kinds})
    assert leg.failure is None
    assert any("set_while_condition" in work for work in leg.launches.values())


WHILE = """
import tensorflow as tf
@tf.function
def repeated(value, count):
{}
    return value
for _ in range(3):
    repeated(tf.ones([8, 8]), tf.constant(5))
"""
LOOPS = (
    "    value = tf.while_loop(lambda i, y: i < count, lambda i, y: (i + 1, tf.matmul(y, y)),"
    " [0, value])[1]",
    "    i = 0\n    while i < count:\n        value = tf.matmul(value, value)\n        i += 1",
)


def test_numbers_that_tensorflow_gives_names_tell_nothing(server: Server) -> None:
    verdict = compared(server, WHILE, *LOOPS)
    assert verdict.outcome is Outcome.MATCH, describe(verdict)
    moved = LOOPS[1].replace("value = tf.matmul", 'with tf.device("/gpu:1"): value = tf.matmul')
    assert compared(server, WHILE, LOOPS[0], moved).outcome is Outcome.MISMATCH
