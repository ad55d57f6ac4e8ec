"""Processes that a program starts are recorded and compared like the program itself."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent, indent

import pytest

from tests.verify.server import Compare, Server, describe
from tests.verify.test_command import simulated, verify, write
from tfgpu.verify.compare import compare
from tfgpu.verify.verdict import Outcome, Verdict

__all__ = ["simulated"]

WORK = """
with tf.device("/gpu:0"):
    matrix = tf.random.uniform([64, 64])
    result = tf.reduce_sum(tf.matmul(matrix, matrix))
"""
RIGHT = "tf.config.experimental.set_memory_growth(gpu, True)"
PART = "[tf.config.LogicalDeviceConfiguration({})]"
LIMIT = f"tf.config.set_logical_device_configuration(gpu, {PART})"
CHILD = """
import tensorflow as tf
def child(number=0):
    for gpu in tf.config.list_physical_devices("GPU"):
        {}
    with tf.device("/gpu:{}"):
        tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
    return 1
"""
FORK = """
import os
pid = os.fork()
if not pid:
    child()
    os._exit(0)
os.waitpid(pid, 0)
"""
PROCESS = """
import multiprocessing
process = multiprocessing.get_context("fork").Process(target=child)
process.start()
process.join()
"""
POOL = """
import multiprocessing
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(child, [1, 2], 1) == [1, 1]
"""
EXECUTOR = """
import concurrent.futures, multiprocessing
fork = multiprocessing.get_context("fork")
with concurrent.futures.ProcessPoolExecutor(1, fork) as pool:
    assert pool.submit(child).result() == 1
"""
SPAWN = """
import multiprocessing
process = multiprocessing.get_context("spawn").Process(target=child)
process.start()
process.join()
assert process.exitcode == 0
"""


def program(start: str, setting: str = RIGHT, gpu: int = 0) -> str:
    main = "if __name__ == '__main__':\n" + indent(start + WORK, "    ")
    return CHILD.format(setting, gpu) + main


@pytest.mark.parametrize(
    "start", [FORK, PROCESS, POOL, EXECUTOR], ids=["fork", "process", "pool", "executor"]
)
def test_forks(compared: Compare, start: str) -> None:
    same = compared(program(start), program(start))
    assert same.outcome is Outcome.MATCH, describe(same)
    assert same.after.children
    assert all(child.memory for child in same.after.children)
    for other in (program(start, "pass"), program(start, gpu=1)):
        wrong = compared(program(start), other)
        assert wrong.outcome is Outcome.MISMATCH, describe(wrong)


RANKS = """
import multiprocessing, os
import tensorflow as tf
def worker(rank):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    with tf.device(f"/gpu:{RANK}"):
        tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
"""
STARTED = """
started = [
    multiprocessing.get_context("fork").Process(target=worker, args=(rank,)) for rank in range(2)
]
for process in started:
    process.start()
for process in started:
    process.join()
"""
FORKED = """
for rank in range(2):
    if not os.fork():
        worker(rank)
        os._exit(0)
for rank in range(2):
    os.wait()
"""


@pytest.mark.parametrize("start", [STARTED, FORKED], ids=["processes", "forks"])
def test_ranks_that_exchange_their_gpus(compared: Compare, start: str) -> None:
    """Also where the function has the name of that of a pool's workers."""
    same, other = (RANKS.replace("RANK", rank) + start for rank in ("rank", "1 - rank"))
    right = compared(same, same)
    assert right.outcome is Outcome.MATCH, describe(right)
    wrong = compared(same, other)
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)


SHARED = """
import multiprocessing, time
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
def job(number):
    time.sleep({sleep})
    with tf.Graph().as_default(), tf.device("/gpu:0"):
        result = tf.matmul(tf.ones([64, 64]), tf.random.uniform([64, 64]))
        config = tf.ConfigProto(allow_soft_placement={soft})
        config.gpu_options.allow_growth = True
        with tf.Session(config=config) as session:
            return session.run(result)[0, 0]
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert len(pool.map(job, range(4), 1)) == 4
"""


def test_a_pool_whose_workers_share_the_jobs(compared: Compare) -> None:
    """Which worker gets how many sessions is chance; what these have is not."""
    even = SHARED.format(sleep=0.2, soft=True)
    odd = SHARED.format(sleep="2 if number == 0 else 0", soft=True)
    right = compared(even, odd)
    assert right.outcome is Outcome.MATCH, describe(right)
    wrong = compared(even, SHARED.format(sleep=0.2, soft="number < 2"))
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)


def test_another_limit_in_a_child(compared: Compare) -> None:
    wrong = compared(program(PROCESS, LIMIT.format(1000)), program(PROCESS, LIMIT.format(2000)))
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)
    devices = [entry.graph for entry in wrong.aspects[0].entries if entry.before != entry.after]
    assert devices == ["child fork child(): eager context"] * 2


def test_a_lost_child(compared: Compare) -> None:
    wrong = compared(program(PROCESS), program(""))
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)
    assert "only one side starts this process" in describe(wrong)


def test_a_program_that_only_starts_another(compared: Compare) -> None:
    text = CHILD.format(RIGHT, 0) + FORK
    same = compared(text, text)
    assert same.outcome is Outcome.MATCH, describe(same)
    wrong = compared(text, CHILD.format(RIGHT, 1) + FORK)
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)


def test_a_program_that_looks_at_its_gpus_and_starts_another(compared: Compare) -> None:
    look = "tf.config.list_logical_devices('GPU')\n"
    start = look + dedent(SPAWN)
    main = "if __name__ == '__main__':\n" + indent(start, "    ")
    right, wrong = (CHILD.format(RIGHT, gpu) + main for gpu in (0, 1))
    same = compared(right, right)
    assert same.outcome is Outcome.MATCH, describe(same)
    differs = compared(right, wrong)
    assert differs.outcome is Outcome.MISMATCH, describe(differs)


def test_a_child_that_fails(compared: Compare) -> None:
    wrong = compared(program(FORK), program(FORK.replace("_exit(0)", "_exit(3)")))
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)


def test_a_new_interpreter(server: Server, compared: Compare) -> None:
    legs = [
        server.leg(program(SPAWN, setting), "sim:2x1GiB", False, lines=lines)
        for setting, lines in ((RIGHT, [5]), (LIMIT.format(1000), [5, 7]))
    ]
    wrong = Verdict("", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)
    assert not legs[1].not_run
    assert [child.program for child in legs[1].children] == ["python child()"]


def test_a_program_of_its_own(server: Server) -> None:
    """It has an environment of its own, and prints what the program reads."""
    code = CHILD.format(RIGHT, 0) + "child()\nimport os\nprint(os.environ.get('PYTHONPATH'))\n"
    text = f"""
import os, subprocess, sys
CODE = {code!r}
variables = {{**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}}
variables.pop("PYTHONPATH", None)
assert not [name for name in os.environ if name.startswith("TFGPU_CHILD")]
assert subprocess.check_output([sys.executable, "-c", CODE], env=variables) == b"None\\n"
"""
    leg = server.leg(text, "sim:2x1GiB", False)
    assert (leg.ended, list(leg.trouble)) == ("end", []), leg.failure
    assert [(one.program, one.ended) for one in leg.children] == [("python -c", "end")]
    assert [card.calls[0][1] for card in leg.children[0].memory] == [2**21]


def test_an_environment_without_that_of_the_leg(server: Server) -> None:
    """GPUs are there whatever the environment of a child is, and it shows nothing of them."""
    code = CHILD.format(RIGHT, 0) + "child()\nimport os\nprint(sorted(os.environ))\n"
    text = f"""
import os, subprocess, sys
CODE = {code!r}
names = subprocess.check_output([sys.executable, "-c", CODE], env={{"HOME": "/"}})
assert b"HOME" in names and b"TFGPU" not in names and b"LD_" not in names, names
"""
    leg = server.leg(text, "sim:2x1GiB", False)
    assert (leg.ended, list(leg.trouble)) == ("end", []), leg.failure
    assert [(one.program, one.ended) for one in leg.children] == [("python -c", "end")]
    assert [card.calls[0][1] for card in leg.children[0].memory] == [2**21]


def test_a_child_that_does_not_ask_for_its_gpus(server: Server) -> None:
    code = """
import ctypes
import tensorflow.compat.v1 as tf
ctypes.CDLL(None).clearenv()
ctypes.CDLL("libcuda.so.1").sim_keep_settings()
tf.Session(config=tf.ConfigProto(log_device_placement=True))
"""
    text = f"import subprocess, sys\nsubprocess.call([sys.executable, '-c', {code!r}])\n"
    leg = server.leg(f"{text}import tensorflow as tf\n{WORK}", "sim:2x1GiB", False)
    assert "python -c: TensorFlow made a session without asking" in " ".join(leg.trouble)


def test_a_child_that_nobody_waits_for(server: Server) -> None:
    code = "import tensorflow as tf, time\ntime.sleep(60)\ntf.ones([8, 8])\n"
    text = f"""
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", {code!r}], start_new_session=True)
import tensorflow as tf
time.sleep(2)
"""
    leg = server.leg(text + WORK, "sim:2x1GiB", False)
    assert "(python -c) imports TensorFlow and did not come to its end" in " ".join(leg.trouble)


def test_a_child_that_cannot_be_recorded(server: Server) -> None:
    code = "import ctypes; ctypes.CDLL('libcuda.so.1').cuInit(0)"
    text = f"import subprocess\nsubprocess.run([{sys.executable!r}, '-I', '-c', {code!r}])\n"
    leg = server.leg("import tensorflow as tf\n" + text + WORK, "sim:2x1GiB", False)
    assert "could not be recorded used the GPUs" in " ".join(leg.trouble)


def test_functions_of_the_system_are_sent_to_pools(server: Server) -> None:
    text = """
import multiprocessing, os
with multiprocessing.get_context("fork").Pool(1) as pool:
    assert pool.map(os.system, ["exit 0", "exit 0"]) == [0, 0]
"""
    leg = server.leg("import tensorflow as tf\n" + text + WORK, "sim:1x1GiB", False)
    assert (leg.ended, list(leg.trouble)) == ("end", []), leg.failure


def test_a_worker_that_ends_itself(compared: Compare) -> None:
    text = """
import concurrent.futures, contextlib, multiprocessing, os
fork = multiprocessing.get_context("fork")
with contextlib.suppress(concurrent.futures.BrokenExecutor):
    with concurrent.futures.ProcessPoolExecutor(1, fork) as pool:
        pool.submit({}, 1).result()
"""
    before, after = (
        "import tensorflow as tf\n" + text.format(name) + WORK for name in ("print", "os._exit")
    )
    verdict = compared(before, after)
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)


STAGES = """
import multiprocessing, os
import tensorflow as tf
def stage(given):
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = given["growth"]
    with tf.device("/gpu:0"):
        tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
for name, growth in {}:
    given = {{"name": name, "growth": growth}}
    process = multiprocessing.get_context("fork").Process(target=stage, args=(given,))
    process.start()
    process.join()
"""


def test_processes_that_exchange_their_settings(compared: Compare) -> None:
    """What each does is the same, and so are all of their settings together."""
    given = [("pretrain", "true"), ("finetune", "false")]
    changed = [("pretrain", "false"), ("finetune", "true")]
    same = compared(STAGES.format(given), STAGES.format(given) + "# again\n")
    assert same.outcome is Outcome.MATCH, describe(same)
    verdict = compared(STAGES.format(given), STAGES.format(changed))
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)


@pytest.mark.parametrize(
    "others", ["Pool(1)", "Pool(2, maxtasksperchild=1)"], ids=["fewer", "for one task each"]
)
def test_pools_of_another_size(compared: Compare, others: str) -> None:
    assert compared(program(POOL), program(POOL)).outcome is Outcome.MATCH
    verdict = compared(program(POOL), program(POOL.replace("Pool(2)", others)))
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)
    assert "pool: Pool" in describe(verdict)


def test_pools_without_sessions_may_have_any_size(compared: Compare) -> None:
    text = """
import multiprocessing
with multiprocessing.get_context("fork").Pool({}) as pool:
    assert pool.map(abs, [1, 2]) == [1, 2]
"""
    before, after = ("import tensorflow as tf\n" + text.format(n) + WORK for n in (1, 2))
    assert compared(before, after).outcome is Outcome.MATCH


STARTER = """
import subprocess, sys
subprocess.check_call([sys.executable, "child_{}.py"])
"""
# Without the search for garbage the import takes three quarters of the time.
V1_CHILD = """
import gc
gc.disable()
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as session:
    session.run(tf.matmul(tf.ones([64, 64]), tf.random.uniform([64, 64])))
"""
V2_CHILD = """
import gc
gc.disable()
import tensorflow.compat.v1 as tf
from tensorflow import config
tf.disable_v2_behavior()
for gpu in config.list_physical_devices("GPU"):
    config.experimental.set_memory_growth(gpu, {})
with tf.Session() as session:
    session.run(tf.matmul(tf.ones([64, 64]), tf.random.uniform([64, 64])))
"""


@pytest.mark.usefixtures("simulated")
def test_a_child_of_tensorflow_1_of_a_program_without(tmp_path: Path) -> None:
    """What starts it does not mention TensorFlow; a child after the migration runs as it is."""
    files = {"child_before": V1_CHILD, "child_right": V2_CHILD.format(True)}
    write(tmp_path, **files, child_wrong=V2_CHILD.format(False))
    write(tmp_path, **{name: STARTER.format(name) for name in ("before", "right", "wrong")})
    for name, status in (("right", 0), ("wrong", 1)):
        gpus = ("--quick", "--gpus", "sim:1x2GiB")
        done = verify(tmp_path, "before.py", f"{name}.py", gpus=gpus)
        assert done.returncode == status, done.stdout + done.stderr


INITIALIZED = """
import multiprocessing, multiprocessing.pool
def work(number):
    return session.run(tf.matmul(tf.ones([64, 64]), tf.random.uniform([64, 64])))[0, 0]
def setup():
    global session
{}
    session = tf.Session({})
with {}.Pool(2, initializer=setup) as pool:
    assert len(pool.map(work, range(6), 1)) == 6
"""
FORKS = "multiprocessing.get_context('fork')"
V1_BEGIN = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"


def test_a_pool_whose_initializer_makes_the_session(server: Server) -> None:
    """Which worker gets how much of the work is chance; what it runs with is not."""
    made = "    config = tf.ConfigProto()\n    config.gpu_options.allow_growth = True"
    texts = "for gpu in tf.config.list_physical_devices('GPU'):\n        {}"

    before = server.leg(
        "import tensorflow as tf\n" + INITIALIZED.format(made, "config=config", FORKS),
        "sim:2x1GiB",
        True,
    )
    for setting, outcome in ((RIGHT, Outcome.MATCH), ("pass", Outcome.MISMATCH)):
        text = INITIALIZED.format(indent(texts.format(setting), "    "), "", FORKS)
        for leg in (server.leg(V1_BEGIN + text, "sim:2x1GiB", False) for _ in range(2)):
            aspects = compare(before, leg, simulated=True)
            found = Verdict("", True, before, leg, aspects)
            assert found.outcome is outcome, describe(found)


@pytest.mark.parametrize("kind", [FORKS, "multiprocessing.pool"])
def test_a_pool_whose_workers_all_fail_comes_to_an_end(server: Server, kind: str) -> None:
    failing = INITIALIZED.format("    raise ValueError('no')", "", kind)
    leg = server.leg(
        V1_BEGIN + failing.replace(".pool.Pool", ".pool.ThreadPool"), "sim:1x1GiB", False
    )
    assert leg.ended == "exception"
    assert leg.failure
    assert "waits for its workers without end" in leg.failure.message
    assert leg.failure.message.endswith("ValueError: no")
    assert leg.failure.kind == "ValueError"


BECOMES = """
import os, sys
import tensorflow as tf
if "AGAIN" not in os.environ:
    os.{}
@tf.function
def work(one):
    return tf.matmul(one, one)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
for number in range(9):
    with tf.device("/gpu:0"):
        work(tf.ones([64, 64]))
"""
EXECV = """environ["AGAIN"] = "1"
    os.execv(sys.executable, [sys.executable, __file__])"""
EXECVE = "execve(sys.executable, [sys.executable, __file__], {'AGAIN': '1'})"


@pytest.mark.parametrize("start", [EXECV, EXECVE], ids=["execv", "execve"])
def test_a_program_that_starts_itself_again(server: Server, start: str) -> None:
    """Its end, and its bound, are those of what it becomes."""
    text = BECOMES.format(start)
    legs = [
        server.leg(one, "sim:2x1GiB", False)
        for one in (text, text, text.replace("True)", "False)"))
    ]
    assert (legs[0].ended, legs[0].steps, list(legs[0].trouble)) == ("end", 5, [])
    assert [one.program for one in legs[0].children] == ["python program.py"]
    for leg, outcome in zip(legs[1:], (Outcome.MATCH, Outcome.MISMATCH), strict=True):
        verdict = Verdict("", True, legs[0], leg, compare(legs[0], leg, simulated=True))
        assert verdict.outcome is outcome, describe(verdict)


def test_a_program_that_fails_when_it_starts_itself_again(server: Server) -> None:
    text = BECOMES.format(EXECV) + "raise ValueError('no')\n"
    leg = server.leg(text, "sim:2x1GiB", False)
    assert leg.failure and (leg.ended, leg.failure.kind) == ("exception", "ValueError")
