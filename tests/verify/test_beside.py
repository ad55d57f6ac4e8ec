"""What differs beside configs and placements: threads, options, variables that are read late."""

from __future__ import annotations

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.verdict import Outcome

V1 = "import os\nimport tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
THREADS = (
    V1
    + """
import threading
def work(gpu):
    with tf.Graph().as_default():
        with tf.device(f"/gpu:{gpu}"):
            result = tf.matmul(tf.random_uniform([8, 8]), tf.random_uniform([8, 8]))
        with tf.Session() as session:
            for _ in range(gpu + 1):
                session.run(result)
work(0)
for gpu in ORDER:
    thread = threading.Thread(target=work, args=(gpu,))
    thread.start()
    thread.join()
"""
)
RUN = (
    V1
    + """
DEVICE = tf.device("/gpu:0")
with DEVICE:
    result = tf.matmul(tf.random_uniform([8, 8]), tf.random_uniform([8, 8]))
session = tf.Session()
{}
session.run(result, options=tf.RunOptions({}))
"""
)
STAYS = "options.fetch_devices['y:0'] = session.list_devices()[-1].name"
CALLABLE = (
    V1
    + """
from tensorflow.core.protobuf import config_pb2
one = tf.random_uniform([8, 8])
tf.matmul(one, one, name="y")
with tf.Session() as session:
    options = config_pb2.CallableOptions(fetch=["y:0"])
    {}
    session._make_callable_from_options(options)()
"""
)
# An option that another one of two runs, operations or callables has.
FOR_ONE = (
    V1
    + """
v = tf.get_variable("v", [8, 8])
def body(i, x): return i + 1, tf.matmul(x, v)
_, one = tf.while_loop(lambda i, x: i < 3, body, [0, v]{loops[0]})
_, two = tf.while_loop(lambda i, x: i < 3, body, [0, one]{loops[1]})
gradient = tf.gradients(two, v)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(one{runs[0]})
    session.run(two{runs[1]})
    session.run(gradient)
    for result, given in zip((one, two), {calls}):
        session.make_callable(result, accept_options=True)(options=given)
"""
)
PLAIN = {"loops": ("", ""), "runs": ("", ""), "calls": "(None, None)"}
LIMIT = "tf.RunOptions(timeout_in_ms=50_000)"
FIRST = {
    "loops": (", swap_memory=True", ""),
    "runs": (f", options={LIMIT}", ""),
    "calls": f"({LIMIT}, None)",
}
SECOND = {
    "loops": ("", ", swap_memory=True"),
    "runs": ("", f", options={LIMIT}"),
    "calls": f"(None, {LIMIT})",
}
EXECUTOR = """
import tensorflow as tf
double = tf.function(lambda one: tf.matmul(one, one))
with tf.experimental.function_executor_type({}):
    double(tf.ones([8, 8]))
"""
DATA = """
import tensorflow as tf
options = tf.data.Options()
options.threading.private_threadpool_size = {}
for one in tf.data.Dataset.from_tensors(tf.ones([8, 8])).with_options(options):
    with tf.device("/gpu:0"):
        tf.matmul(one, one)
"""
LOOP = (
    V1
    + """
v = tf.get_variable("v", [8, 8])
def body(i, x): return i + 1, tf.matmul(x, v)
_, out = tf.while_loop(lambda i, x: i < 3, body, [0, v], swap_memory={})
gradient = tf.gradients(out, v)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(gradient)
"""
)
ATTRIBUTE = (
    V1
    + """
with tf.device("/gpu:0"):
    v = tf.get_variable("v", [8, 8])
    x = tf.random_uniform([2, 8, 8, 3])
    def body(i, x): return i + 1, tf.matmul(x, v)
    _, out = tf.while_loop(lambda i, x: i < 3, body, [0, v]{loop})
    conv = tf.nn.conv2d(x, tf.ones([3, 3, 3, 4]), [1, 1, 1, 1], "SAME"{conv})
queue = tf.FIFOQueue({queue}, [tf.int32], [[]])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(queue.enqueue(1))
    session.run([out, conv, queue.dequeue()])
"""
)
DEFAULTS = {"loop": "", "conv": "", "queue": "4"}
SAME_ATTRIBUTES = {
    "loop": ", parallel_iterations=10",
    "conv": ", use_cudnn_on_gpu=True",
    "queue": "2 + 2",
}
SWITCHED = """
import os
import tensorflow as tf
one = tf.ones([8, 8])
with tf.device("/gpu:0"):
    tf.matmul(one, one)
    {}
    tf.matmul(one, one)
    {}
"""
TENSOR_FLOAT = "tf.config.experimental.enable_tensor_float_32_execution({})"
SYNCHRONOUS = "tf.config.experimental.set_synchronous_execution({})"
POLICY = "tf.config.experimental.set_device_policy({})"
NOTED = (
    V1
    + """
import threading
def work(gpu):
    with tf.Graph().as_default(), tf.device(f"/gpu:{gpu}"):
        result = tf.matmul(tf.random_uniform([8, 8]), tf.random_uniform([8, 8]))
        config = tf.ConfigProto(log_device_placement=gpu == LOGGED)
        with tf.Session(config=config) as session:
            session.run(result)
for gpu in ORDER:
    thread = threading.Thread(target=work, args=(gpu,))
    thread.start()
    thread.join()
"""
)


def noted(order: str, logged: str) -> str:
    return NOTED.replace("ORDER", order).replace("LOGGED", logged)


LATE = "os.environ['TF_CUDNN_DETERMINISTIC'] = '1'"


def put(mode: str) -> str:
    return f"import os\nos.putenv('TF_GPU_THREAD_MODE', '{mode}')\n{RUN.format('', '')}"


@pytest.mark.parametrize(
    ("before", "same", "other"),
    [
        pytest.param(
            *(THREADS.replace("ORDER", order) for order in ("(0, 1)", "(1, 0)", "(0, 0)")),
            id="sessions of threads",
        ),
        pytest.param(
            noted("(0, 1)", "1"),
            noted("(1, 0)", "1"),
            noted("(1, 0)", "0"),
            id="settings of sessions of threads",
        ),
        pytest.param(*(CALLABLE.format(one) for one in ("", "pass", STAYS)), id="a callable"),
        pytest.param(
            *(EXECUTOR.format(one) for one in ("None", "''", "'SINGLE_THREADED_EXECUTOR'")),
            id="the executor of functions",
        ),
        pytest.param(
            RUN.format("", "trace_level=3"),
            RUN.format("", "trace_level=0"),
            RUN.format("", "inter_op_thread_pool=-1"),
            id="options of runs",
        ),
        pytest.param(DATA.format(2), DATA.format("1 + 1"), DATA.format(1), id="options of data"),
        pytest.param(*map(LOOP.format, ("True", "bool(1)", "False")), id="options of loops"),
        *(
            pytest.param(
                ATTRIBUTE.format(**DEFAULTS),
                ATTRIBUTE.format(**SAME_ATTRIBUTES),
                ATTRIBUTE.format(**{**DEFAULTS, **other}),
                id=f"option of an operation: {next(iter(other))}",
            )
            for other in (
                {"loop": ", parallel_iterations=1"},
                {"conv": ", use_cudnn_on_gpu=False"},
                {"queue": "5"},
            )
        ),
        *(
            pytest.param(
                FOR_ONE.format(**{**PLAIN, what: FIRST[what]}),
                FOR_ONE.format(**{**PLAIN, what: FIRST[what]}) + "pass\n",
                FOR_ONE.format(**{**PLAIN, what: SECOND[what]}),
                id=f"an option of another one of two: {what}",
            )
            for what in PLAIN
        ),
        *(
            pytest.param(
                SWITCHED.format("pass", "pass"),
                SWITCHED.format("", ""),
                SWITCHED.format(on, off),
                id=f"switched for one operation: {on}",
            )
            for on, off in (
                (TENSOR_FLOAT.format(False), TENSOR_FLOAT.format(True)),
                (SYNCHRONOUS.format(False), SYNCHRONOUS.format(True)),
                (POLICY.format("'explicit'"), POLICY.format("'silent'")),
                (
                    "os.environ['TF_CUDNN_WORKSPACE_LIMIT_IN_MB'] = '64'; tf.nn.relu(one)",
                    "del os.environ['TF_CUDNN_WORKSPACE_LIMIT_IN_MB']",
                ),
            )
        ),
        pytest.param(
            RUN.format(LATE, ""),
            RUN.format(LATE + "\nos.environ['CUDA_VISIBLE_DEVICES'] = '0'", ""),
            RUN.format("", ""),
            id="variables of libraries",
        ),
        pytest.param(put("gpu_private"), put("gpu_private") + "\n", put("global"), id="putenv"),
    ],
)
def test_pairs(server: Server, before: str, same: str, other: str) -> None:
    right = server.verdict(before, same, tensorflow1=False)
    assert right.outcome is Outcome.MATCH, describe(right)
    wrong = server.verdict(before, other, tensorflow1=False)
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)


MOVED = (
    V1
    + """
with tf.device("{}"):
    weights = tf.get_variable("weights", [8, 8], initializer=tf.random_uniform_initializer())
session = tf.Session()
session.run(tf.global_variables_initializer())
session.run(tf.matmul(weights, weights))
"""
)


def test_operations_that_go_with_those_that_were_moved(server: Server) -> None:
    """No setting is to blame for the initial values of a variable that is asked for elsewhere."""
    found = server.verdict(MOVED.format("/gpu:0"), MOVED.format("/cpu:0"), "sim:1x1GiB")
    assert found.outcome is Outcome.MISMATCH
    assert "set too late" not in describe(found)
