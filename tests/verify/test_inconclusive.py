"""A leg that did not get what it was promised proves nothing, however alike both sides look."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.verify.server import Server, libraries_or_skip
from tfgpu.verify.verdict import Outcome

TRAINING = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
session = tf.Session()
with tf.device("/gpu:0"):
    product = tf.matmul(tf.random.uniform([8, 8]), tf.random.uniform([8, 8]))
"""
RUN = "print(session.run(product))\n"


def test_a_call_without_a_model_is_named(server: Server) -> None:
    call = "import ctypes\nctypes.CDLL('libcudnn.so.9').cudnnQueryRuntimeError(0, 0, 0, 0)\n"
    verdict = server.verdict(TRAINING + call + RUN, TRAINING + RUN)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert verdict.exit_code == 3
    assert list(verdict.before.trouble) == [
        "it called cudnnQueryRuntimeError, for which the simulated driver has no model"
    ]
    assert not verdict.after.trouble


def test_gpus_that_did_not_come_are_no_match(tmp_path: Path) -> None:
    whole = libraries_or_skip()
    without = tmp_path / "libraries"
    shutil.copytree(whole, without, symlinks=True)
    for name in without.glob("libcudnn*"):
        name.unlink()
    folder = tmp_path / "legs"
    folder.mkdir()
    program = TRAINING.replace("/gpu:0", "/cpu:0") + RUN
    with Server(folder, without) as server:
        verdict = server.verdict(program, program)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    assert verdict.before.trouble == verdict.after.trouble
    assert any("could not open all GPU libraries" in reason for reason in verdict.after.trouble)


def test_a_program_that_makes_no_session(server: Server) -> None:
    verdict = server.verdict("import tensorflow as tf\nprint(tf.__version__)\n", "print('hello')\n")
    assert verdict.outcome is Outcome.INCONCLUSIVE


def test_what_both_fail_in_themselves(server: Server) -> None:
    broken = TRAINING + RUN + "open('/no/such/file')\n"
    verdict = server.verdict(broken, broken)
    assert verdict.outcome is Outcome.INCONCLUSIVE
    outcomes = {aspect.name: aspect.outcome for aspect in verdict.aspects}
    assert outcomes.pop("result") is Outcome.INCONCLUSIVE
    assert set(outcomes.values()) == {Outcome.MATCH}
