"""The comparison of a program before and after: what it sees, and when it does not judge."""

from __future__ import annotations

import json

import pytest

from tests.differential.compare import differences
from tests.differential.runner import (
    DIFFERENT,
    NOT_COMPARABLE,
    SAME,
    UNCHANGED,
    Entry,
    Program,
    Runner,
    closure,
    is_tensorflow1,
)
from tfgpu.verify.observation import Observation

GROWTH = """\
import tensorflow as tf
config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
print(sess.run(tf.constant(1.0) + 2))
"""
PLAIN = "import tensorflow as tf\nsess = tf.Session()\n"
V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"


def one(text: str) -> Program:
    return Program({"main.py": text}, [Entry("main.py")])


def test_a_growing_session_is_converted_and_the_same(runner: Runner) -> None:
    report = runner.compare(one(GROWTH))
    assert (report.outcome, report.differences) == (SAME, [])
    assert "ConfigProto" not in report.migrated["main.py"]
    assert [config.line for config in report.converted] == [2]
    (ran,) = report.ran
    assert ran.before.stdout == ran.after.stdout == "3.0\n"
    assert [memory.calls[0][1] for memory in ran.before.memory] == [2**21, 2**21]


def test_nothing_runs_where_nothing_changes(runner: Runner) -> None:
    report = runner.compare(one(V1 + "sess = tf.Session()\n"))
    assert (report.outcome, report.ran) == (UNCHANGED, [])


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("gpu_options=tf.GPUOptions(allow_growth=True)", "allocations on"),
        ("gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.5)", "GPU:1 limit"),
        ("gpu_options=tf.GPUOptions(visible_device_list='1')", "GPU:0 card"),
        ("device_count={'GPU': 1}", "devices: CPU:0 GPU:0 -> CPU:0 GPU:0 GPU:1"),
        ("device_count={'CPU': 2}", "devices: CPU:0 CPU:1 GPU:0 GPU:1 -> CPU:0 GPU:0 GPU:1"),
        ("allow_soft_placement=True", "allow_soft_placement: True -> unset"),
        ("log_device_placement=True", "log_device_placement: True -> unset"),
        ("inter_op_parallelism_threads=7", "threads tf_Compute: 7 ->"),
        ("inter_op_parallelism_threads=-1", "inter_op_parallelism_threads: -1 -> unset"),
        ("operation_timeout_in_ms=900", "operation_timeout_in_ms: 900 -> unset"),
    ],
)
def test_a_lost_setting_is_seen(runner: Runner, config: str, expected: str) -> None:
    program = f"{V1}sess = tf.Session(config=tf.ConfigProto({config}))\n"
    before = runner.run(one(program), Entry("main.py"))
    after = runner.run(one(V1 + "sess = tf.Session()\n"), Entry("main.py"))
    assert expected in "\n".join(differences(before, after))


@pytest.mark.parametrize(
    "start",
    [
        "one = multiprocessing.Process(target=work, args=(0,))\none.start()\none.join()",
        "with multiprocessing.Pool(1) as pool:\n    pool.map(work, range(2))",
    ],
)
def test_a_setting_that_a_child_lost_is_seen(runner: Runner, start: str) -> None:
    def shown(growth: bool) -> Observation:
        config = f"tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth={growth}))"
        made = f"def work(_):\n    tf.Session(config={config})\n"
        text = f"import multiprocessing\n{V1}{made}{start}\n"
        return runner.run(one(text), Entry("main.py"))

    before = shown(growth=True)
    assert not list(differences(before, shown(growth=True)))
    assert "allocations on 0000:01:00.0: 2 MiB -> 499 MiB" in "\n".join(
        differences(before, shown(growth=False))
    )


def test_endings_and_output_are_compared(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    legs = [
        runner.run(one(text), Entry("main.py"))
        for text in ("print(1)", "print(2)", "raise SystemExit(3)", "{}['x']")
    ]
    monkeypatch.setattr(runner, "timeout", 2.0)
    legs.append(runner.run(one("while True: pass"), Entry("main.py")))
    assert legs[-1].ended == "timeout"
    for left in legs:
        for right in legs:
            assert bool(list(differences(left, right))) == (left is not right)


def test_an_eager_context_before_the_session_is_no_judge_of_tensorflow1(runner: Runner) -> None:
    program = GROWTH.replace("config =", "d = tf.data.Dataset.range(3).map(lambda x: x)\nconfig =")
    report = runner.compare(one(program), rerun=True)
    assert report.outcome == NOT_COMPARABLE
    assert "before the program's first session" in report.ran[0].reason
    program = program.replace("import tensorflow as tf\n", V1)
    assert runner.compare(one(program), rerun=True).outcome == SAME


def test_a_program_of_tensorflow_2_is_its_own_judge(runner: Runner) -> None:
    program = (
        "import tensorflow as tf\nx = tf.constant(1.0) + 1\n"
        "with tf.Graph().as_default():\n"
        "    sess = tf.compat.v1.Session(config=tf.compat.v1.ConfigProto())\n"
    )
    assert runner.compare(one(program), rerun=True).outcome == SAME


def test_children_are_waited_for_and_end_with_their_leg(runner: Runner) -> None:
    program = """\
import multiprocessing, time
def work():
    time.sleep(0.2)
    print("child", flush=True)
def forever():
    time.sleep(1000)
multiprocessing.get_context("fork").Process(target=work).start()
multiprocessing.get_context("fork").Process(target=forever, daemon=True).start()
"""
    leg = runner.run(one(program), Entry("main.py"))
    assert (leg.ended, leg.stdout) == ("end", "child\n")
    assert leg.seconds < 10


def test_the_sessions_of_two_threads_are_both_seen(runner: Runner) -> None:
    text = (
        "import threading\nimport tensorflow as tf\ntogether = threading.Barrier(2)\n"
        "def work():\n"
        "    config = tf.ConfigProto()\n    config.gpu_options.allow_growth = True\n"
        "    together.wait()\n"
        "    with tf.Graph().as_default(), tf.Session(config=config) as sess:\n"
        "        print(sess.run(tf.constant(1)))\n"
        "threads = [threading.Thread(target=work) for _ in range(2)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
    )
    for _ in range(5):
        report = runner.compare(one(text))
        assert (report.outcome, report.differences) == (SAME, []), report
        assert [len(leg.sessions) for leg in (report.ran[0].before, report.ran[0].after)] == [2, 2]


def test_a_notebook_is_run(runner: Runner) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Title"]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
         "source": ["%matplotlib inline\n", "%env CUDA_VISIBLE_DEVICES=1\n"]},
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
         "source": GROWTH.splitlines(keepends=True)},
    ]  # fmt: skip
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    report = runner.compare(Program({"run.ipynb": text}, [Entry("run.ipynb")]))
    assert report.outcome == SAME
    assert [one.gpu for one in report.ran[0].before.memory] == [1]


def test_only_the_files_of_an_entry_decide_its_version() -> None:
    files = {
        "main.py": "import pkg.lib\n",
        "other.py": "from tensorflow import keras\n",
        "pkg/__init__.py": "",
        "pkg/lib.py": "from . import more\n",
        "pkg/more.py": PLAIN,
    }
    assert closure(files, "main.py") == ["main.py", "pkg/__init__.py", "pkg/lib.py", "pkg/more.py"]
    assert closure(files, "other.py") == ["other.py"]
    assert is_tensorflow1(PLAIN)
    assert not is_tensorflow1(V1 + "tf.Session()\n")
    assert not is_tensorflow1("import tensorflow as tf\ntf.compat.v1.Session()\n")


def test_a_difference_is_told(runner: Runner) -> None:
    files = {"main.py": "import tensorflow as tf\n" + GROWTH, "other.py": PLAIN}
    program = Program(files, [Entry("main.py"), Entry("other.py")])
    report = runner.compare(program)
    assert [ran.entry.script for ran in report.ran] == ["main.py", "other.py"]
    assert report.outcome != DIFFERENT


def test_neither_is_one_that_fails_behind_a_session(runner: Runner) -> None:
    program = """\
import tensorflow as tf
sess = tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="1")))
try:
    tf.data.Dataset.range(3).map(lambda x: x)
except Exception as error:
    print(type(error).__name__)
"""
    report = runner.compare(one(program), rerun=True)
    assert report.outcome == NOT_COMPARABLE
