"""Programs that make it hard to watch them, each run as a leg on two simulated GPUs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Outcome, Verdict

# What most of the programs begin with: something to run on a GPU.
WORK = """
import tensorflow as tf
with tf.device("/gpu:0"):
    matrix = tf.random.uniform([64, 64])
    result = tf.reduce_sum(tf.matmul(matrix, matrix), name="result")
"""
RUN = "tf.Session().run(result)\n"

Leg = Callable[..., Observation]


@pytest.fixture
def leg(server: Server) -> Leg:
    """Runs a program of TensorFlow 1 with some work in it."""

    def run(text: str, work: bool = True, steps: int = 5, first: bool = True) -> Observation:
        return server.leg((WORK if work else "") + dedent(text), "sim:2x1GiB", first, steps=steps)

    return run


def verdict(before: Observation, after: Observation) -> Verdict:
    return Verdict("", True, before, after, compare(before, after, simulated=True))


def placed(leg: Observation, name: str) -> set[str]:
    """Return the devices on which an operation ran."""
    return {one.device for graph in leg.placements for one in graph.operations if one.name == name}


# --- how a program ends ---


@pytest.mark.parametrize(
    ("ending", "ended", "status"),
    [
        ("os._exit(3)", "exit", 3),
        ("os._exit(0)", "end", 0),
        ("sys.exit('a text')", "exit", 1),
        ("sys.exit(2)", "exit", 2),
        ("sys.exit(True)", "exit", 1),
        ("sys.exit(-1)", "exit", 255),
        ("sys.exit(259)", "exit", 3),
        ("sys.exit(256)", "end", 0),
        ("sys.exit(0)", "end", 0),
        ("sys.exit()", "end", 0),
        ("pass", "end", 0),
        ("raise KeyboardInterrupt", "exception", 1),
        ("1 / 0", "exception", 1),
        ("os.kill(os.getpid(), 11)", "signal", 11),
        ("signal.alarm(1); time.sleep(60)", "signal", 14),
    ],
)
def test_endings(leg: Leg, ending: str, ended: str, status: int) -> None:
    seen = leg("import os, signal, sys, time\n" + RUN + ending)
    assert (seen.ended, seen.status, list(seen.trouble)) == (ended, status, [])
    assert placed(seen, "MatMul") == {"GPU:0"}
    assert seen.memory


def test_an_exception_is_told_with_its_place(leg: Leg) -> None:
    failure = leg(RUN + "def f():\n    raise KeyError('lost')\nf()\n").failure
    assert failure
    assert (failure.kind, failure.message) == ("KeyError", "'lost'")
    assert failure.source == "program.py:8"
    assert not failure.from_tensorflow


def test_an_exception_that_cannot_be_printed(leg: Leg) -> None:
    seen = leg(
        """
        class Strange(Exception):
            def __str__(self):
                raise ValueError("no text")
        tf.Session().run(result)
        raise Strange()
        """
    )
    assert seen.failure and seen.failure.kind == "Strange"


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        (
            "with tf.device('/gpu:7'):\n    far = tf.random.uniform([2], name='far')\n"
            "tf.Session().run(far)",
            "InvalidArgumentError",
            "explicitly assigned to /device:GPU:7",
        ),
        (
            "tf.Session().run(tf.Variable(1.0, name='empty'))",
            "FailedPreconditionError",
            "Attempting to use uninitialized value empty",
        ),
        (
            "x = tf.placeholder(tf.float32)\ntf.Session().run(tf.matmul(x, x), {x: [[1.0, 2.0]]})",
            "InvalidArgumentError",
            "Matrix size-incompatible",
        ),
    ],
)
def test_what_tensorflow_says(leg: Leg, text: str, kind: str, message: str) -> None:
    failure = leg(text).failure
    assert failure and failure.from_tensorflow
    assert failure.kind == kind
    assert message in failure.message


def test_messages_do_not_depend_on_the_folder(leg: Leg) -> None:
    text = "tf.Session().run(tf.io.read_file(__file__ + '.missing'))"
    legs = leg(text), leg(text)
    assert legs[0].failure and "program.py.missing" in legs[0].failure.message
    assert verdict(*legs).outcome is Outcome.INCONCLUSIVE
    assert "the same error on both sides" in describe(verdict(*legs))


# --- steps ---


@pytest.mark.parametrize(
    "loop",
    [
        "session = tf.Session()\nwhile True:\n    session.run(result)\n",
        "session = tf.Session()\nrun = session.make_callable(result)\nwhile True:\n    run()\n",
        """
        session = tf.Session()
        while True:
            try:
                session.run(result)
            except:
                pass
        """,
        """
        one, two = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
        total = one + two
        product = total * result
        session = tf.Session()
        while True:
            handle = session.partial_run_setup([total, product], [one, two])
            session.partial_run(handle, total, {one: 1.0, two: 2.0})
            session.partial_run(handle, product)
        """,
        """
        tf.train.get_or_create_global_step()
        with tf.train.MonitoredTrainingSession() as session:
            while not session.should_stop():
                session.run(result)
        """,
        """
        import threading
        session = tf.Session()
        def train():
            while True:
                session.run(result)
        workers = [threading.Thread(target=train) for _ in range(3)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        """,
    ],
    ids=["run", "make_callable", "bare except", "partial_run", "monitored", "threads"],
)
def test_steps_end_a_loop(leg: Leg, loop: str) -> None:
    seen = leg(loop)
    assert (seen.ended, seen.status, list(seen.trouble)) == ("steps", 0, [])
    assert placed(seen, "MatMul") == {"GPU:0"}


def test_a_graph_that_grows_ends_at_the_same_place(leg: Leg) -> None:
    loop = """
        session = tf.Session()
        while True:
            session.run(tf.constant(1.0) + 1.0)
            session.run(result)
        """
    legs = leg(loop), leg(loop)
    assert [(one.ended, one.steps) for one in legs] == [("steps", 5)] * 2
    assert verdict(*legs).outcome is Outcome.MATCH, describe(verdict(*legs))
    assert placed(legs[0], "add_20")


def test_steps_0_runs_to_the_end(leg: Leg) -> None:
    text = "session = tf.Session()\nfor _ in range(9):\n    session.run(result)\nprint('done')\n"
    seen = leg(text)
    assert (seen.ended, seen.steps, seen.stdout) == ("end", 5, "done\n")
    whole = leg(text, steps=0)
    assert (whole.ended, whole.steps, whole.stdout) == ("end", 9, "done\n")


QUEUE = """
import threading
queue = tf.FIFOQueue(1000, [tf.float32], [[]])
enqueue = queue.enqueue(tf.random.uniform([]))
with tf.device("/gpu:0"):
    doubled = tf.multiply(queue.dequeue(), 2.0, name="doubled")
"""


@pytest.mark.parametrize(
    "rest",
    [
        """
        runner = tf.train.QueueRunner(queue, [enqueue] * 2)
        with tf.Session() as session:
            coordinator = tf.train.Coordinator()
            threads = runner.create_threads(session, coord=coordinator, start=True)
            for _ in range(3):
                session.run(doubled)
            coordinator.request_stop()
            coordinator.join(threads)
        """,
        """
        session = tf.Session()
        def feed():
            for _ in range(900):
                session.run(enqueue)
        feeding = threading.Thread(target=feed)
        feeding.start()
        feeding.join()
        for _ in range(3):
            session.run(doubled)
        """,
    ],
    ids=["queue runner", "thread"],
)
def test_filling_a_queue_is_no_step(leg: Leg, rest: str) -> None:
    seen = leg(QUEUE + dedent(rest))
    assert (seen.ended, seen.steps) == ("end", 3)
    assert placed(seen, "doubled") == {"GPU:0"}


def test_threads_that_outlive_the_program_are_waited_for(leg: Leg) -> None:
    seen = leg(
        """
        import threading, time
        session = tf.Session()
        def train():
            time.sleep(0.5)
            for _ in range(3):
                session.run(result)
        threading.Thread(target=train).start()
        """
    )
    assert (seen.ended, seen.steps) == ("end", 3)
    assert placed(seen, "MatMul") == {"GPU:0"}


@pytest.mark.parametrize(
    "text",
    [
        """
        import os
        child = os.fork()
        if not child:
            print("child")
            os._exit(7)
        os.waitpid(child, 0)
        """,
        """
        import os
        child = os.fork()
        if child:
            os.waitpid(child, 0)
        """,
        """
        import multiprocessing
        def square(number):
            return number * number
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(square, [1, 2, 3]) == [1, 4, 9]
        """,
        """
        import subprocess, sys
        assert subprocess.check_output([sys.executable, "-c", "print(1)"]) == b"1\\n"
        """,
    ],
    ids=["exits", "goes on", "pool", "subprocess"],
)
def test_children_are_not_the_program(leg: Leg, text: str) -> None:
    seen = leg(dedent(text) + RUN)
    assert (seen.ended, seen.steps, len(seen.sessions)) == ("end", 1, 1)
    assert placed(seen, "MatMul") == {"GPU:0"}


# --- output and surroundings ---


@pytest.mark.parametrize(
    "stream",
    [
        "io.StringIO()",
        "None",
        "open('log.txt', 'w')",
        "type('Tee', (), {'write': lambda self, text: None})()",
    ],
)
def test_the_program_may_replace_its_output(leg: Leg, stream: str) -> None:
    loop = "session = tf.Session()\nwhile True:\n    print('x')\n    session.run(result)\n"
    seen = leg(f"import io, sys\nsys.stdout = sys.stderr = {stream}\n" + loop)
    assert (seen.ended, seen.steps, seen.stdout) == ("steps", 5, "")
    failed = leg(f"import io, sys\nsys.stdout = sys.stderr = {stream}\n" + RUN + "1 / 0\n")
    assert failed.failure and failed.failure.kind == "ZeroDivisionError"


def test_closed_output(leg: Leg) -> None:
    loop = "session = tf.Session()\nwhile True:\n    session.run(result)\n"
    seen = leg("import sys\nsys.stdout.close()\nsys.stderr.close()\n" + loop)
    assert (seen.ended, seen.steps) == ("steps", 5)


def test_much_output(leg: Leg) -> None:
    seen = leg(RUN + "print('x' * 5_000_000)\nfor number in range(100_000):\n    print(number)\n")
    assert seen.ended == "end"
    assert len(seen.stdout) > 5_500_000


def test_output_that_is_no_text(leg: Leg) -> None:
    seen = leg(RUN + "import sys\nsys.stdout.buffer.write(bytes(range(256)))\n")
    assert seen.ended == "end"
    assert "ABC" in seen.stdout


def test_the_folder_may_change(leg: Leg) -> None:
    seen = leg("import os\nos.chdir('/')\nprint(os.path.isabs(__file__))\n" + RUN)
    assert (seen.ended, seen.stdout, seen.sessions[0].source) == ("end", "True\n", "program.py:9")


@pytest.mark.parametrize("place", ["before the import", "after the import"])
def test_a_quiet_log_hides_no_devices(leg: Leg, place: str) -> None:
    quiet = "import os\nos.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\n"
    rest = RUN + "print(os.environ['TF_CPP_MIN_LOG_LEVEL'])\n"
    text = quiet + WORK + rest if place == "before the import" else WORK + quiet + rest
    seen = leg(text, work=False)
    assert [device.bus for device in seen.sessions[0].devices] == [
        "",
        "0000:01:00.0",
        "0000:02:00.0",
    ]
    assert seen.stdout == "3\n"


def test_variables_of_the_program(leg: Leg) -> None:
    head = (
        "import os\nos.environ['CUDA_DEVICE_ORDER'] = 'PCI_BUS_ID'\n"
        "os.environ['CUDA_VISIBLE_DEVICES'] = '1'\n"
    )
    seen = leg(head + WORK + RUN, work=False)
    assert [device.bus for device in seen.sessions[0].devices] == ["", "0000:02:00.0"]
    assert seen.environment["CUDA_VISIBLE_DEVICES"] == "1"
    assert [card.gpu for card in seen.memory] == [1]


def test_it_runs_as_main(leg: Leg) -> None:
    seen = leg(
        """
        import os, sys, pickle, inspect
        import __main__
        class Thing:
            pass
        assert __name__ == "__main__" and __main__.result is result
        assert sys.argv == [__file__] and sys.path[0] == os.path.dirname(__file__)
        assert (__spec__, __package__, __cached__) == (None, None, None)
        assert hasattr(__builtins__, "open") and not hasattr(__builtins__, "raw_input")
        assert type(pickle.loads(pickle.dumps(Thing()))) is Thing
        assert "class Thing" in inspect.getsource(Thing)
        if __name__ == "__main__":
            tf.Session().run(result)
        """
    )
    assert seen.ended == "end", seen.failure
    assert placed(seen, "MatMul") == {"GPU:0"}


# --- what stands for TensorFlow 1 ---


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow\ntensorflow.Session().run(tensorflow.constant(1.0))",
        "from tensorflow import Session, ConfigProto, constant\n"
        "Session(config=ConfigProto()).run(constant(1.0))",
        "from tensorflow import *\nSession().run(constant(1.0))",
        "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
        "tf.Session().run(tf.constant(1.0))",
        "from tensorflow.compat import v1\nv1.disable_eager_execution()\n"
        "v1.Session().run(v1.constant(1.0))",
        "import tensorflow as tf\nif tf.__version__ >= '2':\n    tf = tf.compat.v1\n"
        "tf.Session().run(tf.constant(1.0))",
        "import tensorflow as tf\nfrom tensorflow.python.client import device_lib\n"
        "assert len(device_lib.list_local_devices()) == 3\n"
        "tf.Session().run(tf.constant(1.0))",
        "import tensorflow as tf\nassert not hasattr(tf, 'contrib')\n"
        "try:\n    tf.contrib\nexcept AttributeError:\n    tf.Session().run(tf.constant(1.0))",
        "import tensorflow as tf\ntry:\n    from tensorflow.contrib import slim\n"
        "except ImportError:\n    tf.Session().run(tf.constant(1.0))",
    ],
)
def test_ways_to_import(leg: Leg, text: str) -> None:
    seen = leg(text, work=False)
    assert (seen.ended, seen.steps, list(seen.trouble)) == ("end", 1, []), seen.failure


def test_a_saver_of_shards_leaves_the_gpus_to_the_session(leg: Leg) -> None:
    text = """
        import tensorflow as tf
        tf.get_variable("weight", initializer=1.0)
        tf.train.Saver(sharded=True)
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        tf.Session(config=config).run(result)
        """
    seen = leg(text)
    assert [session.title for session in seen.sessions] == ["session 1"]
    assert [card.calls[0][1] < 2**28 for card in seen.memory] == [True]


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow as tf\ntf.contrib.layers.flatten\n",
        "from tensorflow.contrib import slim\n",
        "import tensorflow.contrib.slim as slim\n",
        "import tensorflow as tf\ntf.Session()\ntf.contrib.slim\n",
    ],
)
def test_contrib_proves_nothing(leg: Leg, text: str) -> None:
    seen = leg(text, work=False)
    assert seen.ended == "blocked"
    assert len(seen.trouble) == 1
    assert "contrib" in seen.trouble[0]
    same = verdict(seen, seen)
    assert (same.outcome, same.exit_code) == (Outcome.INCONCLUSIVE, 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(:\n", "fail in the program itself"),
        ("import no_such_module_anywhere\n", "fail in the program itself"),
        ("print('hello')\n", "ran nothing on TensorFlow"),
        ("import tensorflow as tf\ntf.placeholder(tf.float32)\n", "ran nothing on TensorFlow"),
    ],
)
def test_what_proves_nothing(leg: Leg, text: str, words: str) -> None:
    same = verdict(leg(text, work=False), leg(text, work=False))
    assert (same.outcome, same.exit_code) == (Outcome.INCONCLUSIVE, 3)
    assert words in describe(same)


def test_both_hang(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    text = WORK + RUN + "import time\ntime.sleep(600)\n"
    with monkeypatch.context() as patch:
        patch.setattr(server, "timeout", 1)
        hanging = server.leg(text, "sim:2x1GiB", True)
    assert hanging.ended == "timeout"
    both = verdict(hanging, hanging)
    assert both.exit_code == 3
    assert "neither side got to its end" in describe(both)
    ending = server.leg(WORK + RUN, "sim:2x1GiB", True)
    assert verdict(hanging, ending).exit_code == verdict(ending, hanging).exit_code == 3


def test_local_modules_are_of_the_same_tensorflow(server: Server, tmp_path: Path) -> None:
    files = {
        "program.py": """
            import sys
            from nets import layer
            from nets.sizes import SIZE
            import helper
            import tensorflow as tf
            with tf.Session(config=helper.config()) as session:
                session.run(layer(SIZE))
            assert tf.Session is helper.tf.Session
            """,
        "helper.py": """
            import tensorflow as tf
            def config():
                return tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
            """,
        "nets/__init__.py": "from .layers import layer\n",
        "nets/layers.py": """
            from __future__ import absolute_import
            import tensorflow as tf
            from . import sizes
            def layer(size):
                assert size == sizes.SIZE
                x = tf.get_variable("x", [size, size], initializer=tf.zeros_initializer())
                with tf.control_dependencies([x.initializer]):
                    return tf.matmul(tf.random_uniform([size, size]), tf.ones([size, size]))
            """,
        "nets/sizes.py": "SIZE = 32\n",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text), "utf-8")
    seen = server.leg("", "sim:2x1GiB", True, path=tmp_path / "program.py")
    assert (seen.ended, list(seen.trouble)) == ("end", []), seen.failure
    assert seen.sessions[0].config == {"gpu_options.allow_growth": "True"}
    sources = {one.source for graph in seen.placements for one in graph.operations}
    assert any(source.startswith("nets/layers.py:") for source in sources), sources


def test_a_script_in_latin_1(server: Server, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    text = "# -*- coding: latin-1 -*-\nname = u'\xe9t\xe9'\nassert len(name) == 3\n"
    path.write_bytes((text + WORK + RUN).encode("latin-1"))
    assert server.leg("", "sim:2x1GiB", True, path=path).ended == "end"


def test_a_session_of_a_local_server(leg: Leg) -> None:
    text = "server = tf.train.Server.create_local_server()\ntf.Session(server.target).run(result)\n"
    legs = leg(text), leg(text)
    assert [one.title for one in legs[0].sessions] == ["server 1", "session 1"]
    assert legs[0].sessions[1].target.startswith("grpc://localhost:")
    assert verdict(*legs).outcome is Outcome.MATCH, describe(verdict(*legs))
