"""Commands that a program starts: where no record tells what they do, they have to be the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.verify.server import Server, describe
from tests.verify.test_command import simulated, verify, write
from tfgpu.verify.compare import compare
from tfgpu.verify.verdict import Outcome, Verdict

__all__ = ["simulated"]

WORK = """
import os, subprocess, sys, threading
import tensorflow as tf
with tf.device("/gpu:0"):
    tf.matmul(tf.ones([64, 64]), tf.ones([64, 64]))
"""
PYTHON = "subprocess.run([sys.executable, '-c', {!r}])"
MISSING = "try:\n    subprocess.run({!r})\nexcept FileNotFoundError:\n    pass"
CHILD = "subprocess.check_call([sys.executable, '-c', {!r}], env={{**os.environ, {}}})"
CHANGED = {
    "an argument": ("subprocess.run(['true', '2'])", "subprocess.run(['true', '4'])"),
    "a command of a shell": ("os.system('true 2')", "os.system('true 4')"),
    "a command that is gone": ("subprocess.run(['true'])", ""),
    "one that is not installed": (MISSING.format("no-such -n 2"), MISSING.format("no-such -n 4")),
    "one that fails": ("subprocess.run(['true'])", "subprocess.run(['false'])"),
    "a variable that makes it fail": (
        "os.environ['S'] = '0'\nsubprocess.run(['sh', '-c', 'exit $S'])",
        "os.environ['S'] = '3'\nsubprocess.run(['sh', '-c', 'exit $S'])",
    ),
    "a Python's status": (
        PYTHON.format("raise SystemExit(0)"),
        PYTHON.format("raise SystemExit(3)"),
    ),
    "a shell's status": ("os.system('exit 0')", "os.system('exit 3')"),
    "in a thread": (
        "t = threading.Thread(target=os.system, args=('true 2',)); t.start(); t.join()",
        "t = threading.Thread(target=os.system, args=('true 4',)); t.start(); t.join()",
    ),
    "in a fork": (
        "p = os.fork()\nif not p:\n    os.system('true 2')\n    os._exit(0)\nos.waitpid(p, 0)",
        "p = os.fork()\nif not p:\n    os.system('true 4')\n    os._exit(0)\nos.waitpid(p, 0)",
    ),
    "a variable": (
        "subprocess.run(['true'], env={**os.environ, 'LEVEL': '1'})",
        "subprocess.run(['true'], env={**os.environ, 'LEVEL': '2'})",
    ),
    "libraries": (CHILD.format(WORK, "'LD_LIBRARY_PATH': '/a'"), CHILD.format(WORK, "")),
    "libraries by os.environ": (
        "os.environ['LD_LIBRARY_PATH'] = '/a'\n" + CHILD.format(WORK, ""),
        CHILD.format(WORK, ""),
    ),
}
SAME = {
    "the same": ("subprocess.run(['true', '2'])", "subprocess.call(['true', '2'])"),
    "a Python with a record": (PYTHON.format("a = 1"), PYTHON.format("a = 2")),
    "variables that a record shows": (
        CHILD.format(WORK, "'A': '1'"),
        "os.environ['A'] = '1'\n" + CHILD.format(WORK, ""),
    ),
}


def compared(server: Server, before: str, after: str) -> Verdict:
    legs = [server.leg(f"{WORK}{text}\n", "sim:2x1GiB", False) for text in (before, after)]
    return Verdict("", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))


@pytest.mark.parametrize(("before", "after"), CHANGED.values(), ids=CHANGED)
def test_what_another_command_does_is_not_known(server: Server, before: str, after: str) -> None:
    verdict = compared(server, before, after)
    entries = [entry for aspect in verdict.aspects for entry in aspect.entries if entry.differs]
    assert [(one.subject, one.outcome) for one in entries] == [
        ("commands", Outcome.INCONCLUSIVE)
    ], describe(verdict)


@pytest.mark.parametrize(("before", "after"), SAME.values(), ids=SAME)
def test_the_same_commands_match(server: Server, before: str, after: str) -> None:
    verdict = compared(server, before, after)
    assert verdict.outcome is Outcome.MATCH, describe(verdict)


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("subprocess.run(['true', '2'])", ["commands"]),
        ("os.system('true')", ["commands"]),
        ("import ctypes.util\nctypes.util.find_library('no-such-library')", []),
    ],
)
def test_commands_beside_another_tensorflow(server: Server, text: str, subjects: list[str]) -> None:
    """What its libraries start is another matter."""
    before, after = (server.leg(f"{WORK}{one}\n", "sim:2x1GiB", False) for one in ("", text))
    aspects = compare(replace(before, tensorflow="1.15.5"), after, simulated=True)
    found = [entry.subject for one in aspects for entry in one.entries if entry.differs]
    assert found == subjects


@pytest.mark.parametrize(
    "failing", ["import sys; sys.exit({})", "assert not {}"], ids=["an exit", "an error"]
)
def test_the_end_of_a_python_without_tensorflow_counts(server: Server, failing: str) -> None:
    ends = [PYTHON.format(failing.format(status)) for status in (0, 3)]
    verdict = compared(server, *ends)
    assert verdict.outcome is Outcome.MISMATCH, describe(verdict)
    assert "ends the process" in describe(verdict)
    assert compared(server, ends[1], ends[1]).outcome is Outcome.MATCH


def test_a_python_without_tensorflow_shows_nothing(server: Server) -> None:
    child = PYTHON.format("raise ModuleNotFoundError(\"No module named 'tensorflow'\")")
    verdict = compared(server, child, child)
    assert verdict.outcome is Outcome.INCONCLUSIVE, describe(verdict)
    assert "runs a Python that has no TensorFlow" in describe(verdict)


@pytest.mark.usefixtures("simulated")
def test_commands_that_vary_are_not_compared(tmp_path: Path) -> None:
    text = f"{WORK}import uuid\nsubprocess.run(['true', uuid.uuid4().hex])\n"
    write(
        tmp_path, before=text, after=text.replace("import uuid\n", "import uuid as u\nuuid = u\n")
    )
    done = verify(tmp_path, "before.py", "after.py")
    assert done.returncode == 0, done.stdout
    assert "commands that the program before starts differ from run to run" in done.stdout
