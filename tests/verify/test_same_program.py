"""A program matches itself: what is compared does not change from run to run."""

from __future__ import annotations

import pytest

from tests.verify.fixture_programs import check_alike
from tests.verify.server import Server
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Outcome, Verdict

# What runs side by side asks for memory in any order: threads that train, branches of a graph.
GROWING = """
import threading
import tensorflow as tf
config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
"""
THREADS = (
    GROWING
    + """
state = tf.Variable(tf.zeros([300, 300]))
updates = []
for number in range(4):
    with tf.device("/gpu:%d" % (number % 2)):
        product = tf.matmul(state, tf.random.uniform([300, 300]))
        updates.append(tf.assign_add(state, product))
session = tf.Session(config=config)
session.run(tf.global_variables_initializer())
def train(update):
    while True:
        session.run(update)
threads = [threading.Thread(target=train, args=(update,)) for update in updates]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
)
BRANCHES = (
    GROWING
    + """
sums = []
for size in range(500, 1300, 100):
    for number in range(2):
        with tf.device("/gpu:%d" % number):
            matrix = tf.random.uniform([size, 500])
            sums.append(tf.reduce_sum(tf.matmul(matrix, matrix, transpose_b=True)))
session = tf.Session(config=config)
for _ in range(4):
    session.run(sums)
"""
)
QUEUE = (
    GROWING
    + """
queue = tf.FIFOQueue(1000, [tf.float32], [[100, 100]])
enqueue = queue.enqueue(tf.random.uniform([100, 100]))
tf.train.add_queue_runner(tf.train.QueueRunner(queue, [enqueue] * 4))
with tf.device("/gpu:0"):
    weights = tf.Variable(tf.zeros([100, 10]))
    loss = tf.reduce_mean(tf.tensordot(queue.dequeue_many(8), weights, 1) ** 2)
    step = tf.train.AdamOptimizer().minimize(loss)
with tf.Session(config=config) as session:
    session.run(tf.global_variables_initializer())
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(session, coord=coordinator)
    while True:
        session.run([step, loss])
"""
)
# Threads make the eager context, all at once, and work side by side on GPUs of their own.
EAGER = """
import threading
import tensorflow as tf
def work(device):
    with tf.device(device):
        for _ in range(3):
            tf.matmul(tf.ones([3, 3]), tf.ones([3, 3]))
threads = [threading.Thread(target=work, args=(f"/gpu:{number % 2}",)) for number in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
FUNCTIONS = """
import threading
import tensorflow as tf
def made(device):
    @tf.function
    def step(one):
        with tf.device(device):
            return tf.matmul(one, one)
    return step
def work(step):
    for _ in range(4):
        step(one)
one = tf.ones([200, 200])
steps = [made(f"/gpu:{number % 2}") for number in range(4)]
threads = [threading.Thread(target=work, args=(step,)) for step in steps]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
# Each thread makes its own functions, and variables while others call theirs.
METHODS = """
import concurrent.futures
import tensorflow as tf
one = tf.ones([200, 200])
class Net:
    def __init__(self, device):
        self.device = device
        self.weights = tf.Variable(tf.ones([200, 200]))
    @tf.function
    def step(self, one):
        with tf.device(self.device):
            return tf.matmul(one, self.weights)
    @tf.function
    def train(self, one):
        with tf.GradientTape() as tape:
            with tf.device(self.device):
                loss = tf.reduce_sum(tf.matmul(one, self.weights))
        self.weights.assign_sub(tape.gradient(loss, self.weights))
def work(number):
    net = Net(f"/gpu:{number % 2}")
    for _ in range(3):
        net.step(one)
        net.train(one)
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    list(pool.map(work, range(4)))
"""


@pytest.mark.parametrize("text", [THREADS, BRANCHES, QUEUE], ids=["threads", "branches", "queue"])
def test_what_is_left_to_chance_is_no_mismatch(server: Server, text: str) -> None:
    match_each_other([server.leg(text, "sim:2x1GiB", True) for _ in range(6)])


@pytest.mark.parametrize(
    "text", [EAGER, FUNCTIONS, METHODS], ids=["operations", "functions", "methods"]
)
def test_eager_threads_side_by_side_are_compared_one_by_one(server: Server, text: str) -> None:
    legs = [server.leg(text, "sim:2x1GiB", False) for _ in range(3)]
    assert [len(leg.sessions) for leg in legs] == [1, 1, 1]
    match_each_other(legs)
    other = server.leg(text.replace("number % 2", "number // 3"), "sim:2x1GiB", False)
    aspects = compare(legs[0], other, simulated=True)
    assert Verdict("", True, legs[0], other, aspects).outcome is Outcome.MISMATCH


def match_each_other(legs: list[Observation], fixture: str = "") -> None:
    for other in legs[1:]:
        aspects = compare(legs[0], other, simulated=True)
        check_alike(Verdict("", True, legs[0], other, aspects), fixture)
