"""Programs that clear or filter their environment before TensorFlow looks for GPUs.

Real GPUs are there whatever the environment says of other things; so are simulated ones.
"""

from __future__ import annotations

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.verdict import Outcome, Verdict

WORK = """
import os
from unittest import mock
import tensorflow as tf
def work():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    with tf.device("/gpu:0"):
        tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
"""
CLEAR = "os.environ.clear()\nwork()\n"
PATCH = "with mock.patch.dict(os.environ, {'A': '1'}, clear=True):\n    work()\n"
PREFIX = """
for name in list(os.environ):
    if name.startswith("TF"):
        del os.environ[name]
work()
"""
FORK = """
pid = os.fork()
if not pid:
    os.environ.clear()
    work()
    os._exit(0)
os.waitpid(pid, 0)
"""
SPAWN = """
import subprocess, sys
CODE = 'import os; os.environ.clear()' + {!r} + 'work()'
os.environ.clear()
subprocess.check_call([sys.executable, "-c", CODE])
"""
PROGRAMS = {
    "clear": CLEAR,
    "patch": PATCH,
    "prefix": PREFIX,
    "fork": FORK + CLEAR,
    "python": SPAWN.format(WORK) + CLEAR,
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_simulated_gpus_are_there(server: Server, program: str) -> None:
    leg = server.leg(WORK + program, "sim:2x1GiB", False)
    assert (leg.ended, list(leg.trouble)) == ("end", []), leg.failure
    for one in (leg, *leg.children):
        assert [device.name for device in one.sessions[0].devices] == ["CPU:0", "GPU:0", "GPU:1"]
        assert one.memory
    wrong = server.leg((WORK + program).replace("True)", "False)"), "sim:2x1GiB", False)
    verdict = Verdict("", True, leg, wrong, compare(leg, wrong, simulated=True))
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)


@pytest.mark.parametrize(("program", "seen"), [("", 1), ("os.environ.clear()\n", 2)])
def test_the_users_own_variables_are_gone(server: Server, program: str, seen: int) -> None:
    """Without CUDA_VISIBLE_DEVICES all GPUs are visible, as real ones would be."""
    text = f"{WORK}{program}work()\n"
    leg = server.leg(text, "sim:2x1GiB", False, variables={"CUDA_VISIBLE_DEVICES": "1"})
    assert len(leg.physical) == seen


def test_gpus_that_are_lost_all_the_same(server: Server) -> None:
    """A program that clears C's own environment, and has the driver read it once more."""
    text = """
import ctypes
ctypes.CDLL(None).clearenv()
ctypes.CDLL("libcuda.so.1").sim_keep_settings()
"""
    leg = server.leg(text + WORK + "work()\n", "sim:2x1GiB", False)
    assert "without asking the simulated driver" in " ".join(leg.trouble)
