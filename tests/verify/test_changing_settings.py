"""Settings that change while a program works: what was done under which of their values."""

from __future__ import annotations

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.verdict import Outcome, Verdict

EAGER = """
import tensorflow as tf
config = tf.config
def work():
    with tf.device("/gpu:0"):
        tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
"""
SESSIONS = """
import os
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
config = tf.config
def work():
    with tf.Graph().as_default(), tf.Session() as session:
        with tf.device("/gpu:0"):
            session.run(tf.matmul(tf.ones([64, 64]), tf.ones([64, 64])))
"""
TENSOR_FLOAT = "config.experimental.enable_tensor_float_32_execution({})"
SWITCHES = [
    (TENSOR_FLOAT, "False", "True"),
    ("config.set_soft_device_placement({})", "False", "True"),
    ("config.optimizer.set_experimental_options({{'layout_optimizer': {}}})", "False", "True"),
    ("config.experimental.set_synchronous_execution({})", "False", "True"),
    ("config.experimental.set_device_policy({!r})", "warn", "silent"),
]
VARIABLE = "os.environ['TF_NUM_INTEROP_THREADS'] = {!r}"


def compared(server: Server, before: str, after: str) -> Verdict:
    legs = [server.leg(text, "sim:2x1GiB", False) for text in (before, after)]
    return Verdict("", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))


@pytest.mark.parametrize(("switch", "one", "other"), SWITCHES, ids=[one for one, *_ in SWITCHES])
def test_a_switch_that_moves_over_work(server: Server, switch: str, one: str, other: str) -> None:
    first, second = switch.format(one), switch.format(other)
    before = f"{EAGER}work()\n{first}\nwork()\n{second}\nwork()\n"
    after = f"{EAGER}work()\n{first}\nwork()\nwork()\n{second}\n"
    same = compared(server, before, before + "# again\n")
    assert same.outcome is Outcome.MATCH, describe(same)
    verdict = compared(server, before, after)
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)


def test_a_switch_that_moves_over_the_work_of_sessions(server: Server) -> None:
    first, second = TENSOR_FLOAT.format(False), TENSOR_FLOAT.format(True)
    before = f"{SESSIONS}work()\n{first}\nwork()\n{second}\n"
    after = f"{SESSIONS}work()\nwork()\n{first}\n{second}\n"
    assert compared(server, before, after).outcome is Outcome.MISMATCH


def test_a_value_that_nothing_is_done_under(server: Server) -> None:
    """It may stand anywhere, or be left out."""
    off, on = TENSOR_FLOAT.format(False), TENSOR_FLOAT.format(True)
    before = f"{EAGER}{off}\n{on}\nwork()\n"
    verdict = compared(server, before, f"{EAGER}{on}\nwork()\n")
    assert verdict.outcome is Outcome.MATCH, describe(verdict)


def test_a_variable_of_one_session(server: Server) -> None:
    """A session reads some variables when it makes its devices and its threads."""
    before = f"{SESSIONS}work()\n{VARIABLE.format('5')}\nwork()\n{VARIABLE.format('2')}\n"
    after = f"{SESSIONS}work()\nwork()\n{VARIABLE.format('2')}\n"
    verdict = compared(server, before, after)
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)
    assert "environment.TF_NUM_INTEROP_THREADS" in describe(verdict)


FIRST = (
    SESSIONS
    + """
with tf.Session(config=tf.ConfigProto(device_count={"GPU": 1})) as session:
    session.run(tf.ones([2, 2]))
c = tf.ConfigProto()
"""
)
GROWS = "os.environ['TF_FORCE_GPU_ALLOW_GROWTH'] = 'true'\n"
LATE = "session = tf.Session(config=c)\n"


@pytest.mark.parametrize(
    ("before", "after", "outcome", "field"),
    [
        ("", GROWS, Outcome.MISMATCH, "gpu_options.allow_growth"),
        ("c.gpu_options.allow_growth = True\n", GROWS, Outcome.MATCH, ""),
        (LATE, LATE + GROWS, Outcome.MATCH, ""),
        (
            "", "os.environ['TF_GPU_ALLOCATOR'] = 'cuda_malloc_async'\n",
            Outcome.MISMATCH, "use_cuda_malloc_async",
        ),
    ],
    ids=["growth", "as-a-field", "made-already", "allocator"],
)  # fmt: skip
def test_a_variable_of_a_session_that_makes_a_gpu(
    server: Server, before: str, after: str, outcome: Outcome, field: str
) -> None:
    """The first session made one GPU; how the other one takes memory shows once it is used."""
    verdict = compared(server, FIRST + before + LATE, FIRST + after + LATE)
    assert verdict.outcome is outcome, describe(verdict)
    assert field in describe(verdict)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OMP_NUM_THREADS", "2"),
        ("KMP_AFFINITY", "granularity=fine,compact"),
        ("KMP_BLOCKTIME", "0"),
        ("CUBLAS_WORKSPACE_CONFIG", ":4096:8"),
        ("MKL_NUM_THREADS", "2"),
        ("HOROVOD_FUSION_THRESHOLD", "0"),
    ],
)
def test_variables_of_libraries_that_compute(server: Server, name: str, value: str) -> None:
    sets = f"import os\nos.environ[{name!r}] = {value!r}\n"
    for before, after in (
        (sets + SESSIONS + "work()\n", SESSIONS + "work()\n"),
        (SESSIONS + "work()\n" + sets + "work()\n", SESSIONS + "work()\n"),
    ):
        verdict = compared(server, before, after)
        assert verdict.outcome is Outcome.MISMATCH, describe(verdict)
        assert name in describe(verdict)


def test_variables_that_say_what_libraries_print(server: Server) -> None:
    sets = (
        "import os\nos.environ.update(KMP_WARNINGS='0', MKL_VERBOSE='1', HOROVOD_LOG_LEVEL='2')\n"
        "os.environ.update(CUBLAS_LOGINFO_DBG='1', CUBLASLT_LOG_LEVEL='2')\n"
    )
    verdict = compared(server, sets + SESSIONS + "work()\n", SESSIONS + "work()\n")
    assert verdict.outcome is Outcome.MATCH, describe(verdict)
