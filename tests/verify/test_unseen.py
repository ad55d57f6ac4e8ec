"""Processes whose work no record tells of: the verdict says so, whatever started them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.verify.test_command import simulated, verify, write

__all__ = ["simulated"]

PROGRAM = """
import multiprocessing, os, subprocess, sys, time
import tensorflow.compat.v1 as tf
tf.disable_eager_execution()
CODE = "import time; time.sleep({wait}); import tensorflow as tf; tf.ones([2, 2]) + 1"
with tf.Session() as session:
    session.run(tf.matmul(tf.ones([8, 8]), tf.ones([8, 8])))
{starts}
"""
WITHOUT_THE_RECORDER = """
subprocess.run(["env", "-i", sys.executable, "-c", CODE])
subprocess.run([sys.executable, "-I", "-c", CODE])
os.system(f'export PYTHONPATH=. LD_LIBRARY_PATH=/lib; {sys.executable} -c "{CODE}"')
"""
LEFT = """
subprocess.Popen([sys.executable, "-c", CODE])
subprocess.Popen(["sh", "-c", f'sleep 30; env -i {sys.executable} -c "{CODE}"'])
if not os.fork():
    time.sleep(30)
    os._exit(0)
"""
ENDED = """
subprocess.Popen(["sleep", "30"])
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(30)"]).kill()
subprocess.Popen(["sh", "-c", "sleep 0.5; echo done"])
multiprocessing.get_context("fork").Process(target=time.sleep, args=(30,), daemon=True).start()
process = multiprocessing.get_context("spawn").Process(target=int)
process.start()
"""


def troubles(folder: Path, starts: str, wait: int) -> list[str]:
    guarded = "if __name__ == '__main__':\n    " + "\n    ".join(starts.strip().splitlines())
    write(folder, program=PROGRAM.format(starts=guarded, wait=wait))
    done = verify(folder, "program.py", "program.py", "--format", "json")
    found: list[str] = json.loads(done.stdout)["after"]["trouble"]
    assert done.returncode == (3 if found else 0), done.stdout
    return found


def test_children_without_the_recorder_that_load_tensorflow(tmp_path: Path) -> None:
    """They find no simulated GPUs, and work on the CPU: nothing of them can be compared."""
    found = troubles(tmp_path, WITHOUT_THE_RECORDER, 0)
    assert sum("loads TensorFlow, and was started without" in one for one in found) == 3


def test_children_that_are_ended_with_the_program(tmp_path: Path) -> None:
    found = troubles(tmp_path, LEFT, 30)
    assert len(found) == 3
    assert any(one.startswith("a child process (a fork of program.py) was") for one in found)
    assert all("was ended with it, so that what it would have done" in one for one in found)


def test_children_that_have_nothing_to_do_with_tensorflow(tmp_path: Path) -> None:
    assert troubles(tmp_path, ENDED, 0) == []
