"""A match is evidence: where too little was seen there is none."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tests.verify.server import Server, describe
from tfgpu.report.verdict_words import first_cause
from tfgpu.verify.changed import changed_statements
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation
from tfgpu.verify.verdict import Outcome, Verdict

V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
V2 = "import tensorflow as tf\n"
WORK = """
with tf.device("/gpu:0"):
    matrix = tf.random.uniform([64, 64])
    result = tf.reduce_sum(tf.matmul(matrix, matrix), name="result")
session = tf.Session()
session.run(result)
"""
EAGER = """
with tf.device("/gpu:0"):
    matrix = tf.random.uniform([64, 64])
    result = tf.reduce_sum(tf.matmul(matrix, matrix))
"""

Compare = Callable[[str, str], Verdict]


@pytest.fixture
def compared(server: Server) -> Compare:
    """Runs two programs and compares them."""

    def run(before: str, after: str) -> Verdict:
        legs: list[Observation] = [
            server.leg(dedent(text), "sim:2x1GiB", False) for text in (before, after)
        ]
        return Verdict("", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))

    return run


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (V1 + "open('no-such-data.csv')\n" + WORK, "FileNotFoundError"),
        (V1 + "import no_such_module\n" + WORK, "no_such_module"),
        (V1 + WORK + "session.run(tf.matmul(matrix, tf.ones([3, 3])))\n", "ValueError"),
        (V1 + WORK + "open('no-such-data.csv')\n", "fail in the program itself"),
        (V1 + WORK + "import sys\nsys.exit(4)\n", "exit status 4"),
        (V1 + WORK + "session.run(tf.Variable(1.0))\n", "the same error on both sides"),
        (V1 + "session = tf.Session()\n", "no operation"),
        (V1 + WORK.replace("/gpu:0", "/cpu:0"), "no operation ran on one"),
        (V2 + "tf.config.list_logical_devices()\n", "no operation"),
        (V2 + EAGER.replace("/gpu:0", "/cpu:0"), "no operation ran on one"),
    ],
)
def test_without_evidence_there_is_no_match(compared: Compare, text: str, words: str) -> None:
    found = compared(text, text)
    assert (found.outcome, found.exit_code) == (Outcome.INCONCLUSIVE, 3), describe(found)
    assert words in describe(found) + first_cause(found)


@pytest.mark.parametrize(
    "text",
    [
        V1 + WORK,
        V2 + EAGER,
        V1
        + WORK.replace(
            "Session()", "Session(config=tf.ConfigProto(device_count={'GPU': 0}))"
        ).replace("/gpu:0", "/cpu:0"),
        "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = ''\n" + V1 + WORK.replace("/gpu", "/cpu"),
    ],
)
def test_programs_that_match_themselves(compared: Compare, text: str) -> None:
    found = compared(text, text)
    assert found.outcome is Outcome.MATCH, describe(found)


@pytest.mark.parametrize(
    "mute",
    [
        "import os\nos.dup2(os.open(os.devnull, os.O_WRONLY), 2)\n",
        "import os\nos.close(2)\n",
        "import os\nos.close(2)\nos.close(1)\nos.open('/dev/null', os.O_RDWR)\n",
    ],
)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("visible_device_list='0,1'", "visible_device_list='1,0'"),
        ("per_process_gpu_memory_fraction=0.25", "per_process_gpu_memory_fraction=0.5"),
    ],
)
def test_a_muted_program_hides_nothing(
    compared: Compare, mute: str, before: str, after: str
) -> None:
    def program(options: str) -> str:
        config = f"config=tf.ConfigProto(gpu_options=tf.GPUOptions({options}))"
        return mute + V1 + WORK.replace("Session()", f"Session({config})")

    assert compared(program(before), program(after)).outcome is Outcome.MISMATCH
    same = compared(program(before), program(before))
    assert same.outcome is Outcome.MATCH, describe(same)


def test_what_a_module_that_is_missing_leaves_undone_has_it_as_its_cause(compared: Compare) -> None:
    chosen = "import os\nos.environ['CUDA_VISIBLE_DEVICES'] = '1'\n"
    verdict = compared(chosen + V1 + WORK, "import no_such_module\n" + chosen + V1 + WORK)
    reasons = {entry.reason for aspect in verdict.aspects for entry in aspect.entries}
    assert verdict.outcome is Outcome.MISMATCH
    assert "after did not come so far: ModuleNotFoundError" in reasons
    assert not any("not set after" in reason for reason in reasons)


def test_a_child_without_gpus_is_harmless(compared: Compare) -> None:
    text = V2 + "import subprocess\nsubprocess.run(['true'], check=True)\n" + EAGER
    found = compared(text, text)
    assert found.outcome is Outcome.MATCH, describe(found)


LOGICAL = """
gpu = tf.config.list_physical_devices("GPU")[0]
parts = [tf.config.LogicalDeviceConfiguration(1000, experimental_priority={}) for _ in range(1)]
tf.config.set_logical_device_configuration(gpu, parts)
"""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("tf.config.experimental.enable_tensor_float_32_execution(False)\n", ""),
        ("tf.config.experimental.enable_op_determinism()\ntf.random.set_seed(1)\n", ""),
        (EAGER + "tf.config.set_soft_device_placement(True)\n", EAGER
         + "tf.config.set_soft_device_placement(False)\n"),
        (EAGER + "tf.debugging.set_log_device_placement(True)\n", EAGER),
        ("tf.keras.mixed_precision.set_global_policy('mixed_float16')\n",
         "tf.keras.mixed_precision.set_global_policy('float32')\n"),
        (LOGICAL.format(-1), LOGICAL.format(0)),
    ],
)  # fmt: skip
def test_settings_that_no_device_shows(compared: Compare, before: str, after: str) -> None:
    found = compared(V2 + before + EAGER, V2 + after + EAGER)
    assert found.outcome is Outcome.MISMATCH, describe(found)
    same = compared(V2 + before + EAGER, V2 + before + EAGER)
    assert same.outcome is Outcome.MATCH, describe(same)


# --- lines of the change ---

CHANGED = """
import sys
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
def options():
    return tf.GPUOptions({})
config = tf.ConfigProto()
if len(sys.argv) > 1:
    config.gpu_options.CopyFrom(options())
with tf.device("/gpu:0"):
    result = tf.random.uniform([64, 64]) + 1.0
tf.Session(config=config).run(result)
"""


def statements(before: str, after: str) -> list[tuple[int, tuple[str, ...]]]:
    path = Path("program.py")
    found = changed_statements(path, after, ast.parse(after), before)
    return [(one.line, one.guards) for one in found]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a = 1\n", "a = 2\n", [(1, ())]),
        ("a = 1\n", "# a comment\na = 1\n\n", []),
        ("if a:\n    b = 1\n", "if a:\n    b = 2\n", [(2, ("if a",))]),
        ("if a:\n    b = 1\n", "if c:\n    b = 1\n", [(1, ()), (2, ("if c",))]),
        (
            "if a:\n    b\nelse:\n    c\n",
            "if d:\n    b\nelse:\n    c\n",
            [(1, ()), (2, ("if d",)), (4, ("not d",))],
        ),
        ("if a: b\n", "if a: c\n", [(1, ()), (1, ("if a",))]),
        (
            "f()\n",
            "try:\n    f()\nexcept RuntimeError as e:\n    print('no', str(e))\n",
            [(1, ()), (2, ())],
        ),
        (
            "f()\n",
            "try:\n    f()\nexcept RuntimeError as e:\n    logger.error('%s', e)\n    g()\n",
            [(1, ()), (2, ()), (4, ("except RuntimeError",)), (5, ("except RuntimeError",))],
        ),
        (
            "f()\n",
            "try:\n    f()\nexcept RuntimeError:\n    print(g())\n",
            [(1, ()), (2, ()), (4, ("except RuntimeError",))],
        ),
        ("a = b if c else d\n", "a = b if c else e\n", [(1, ()), (1, ("if c",)), (1, ("not c",))]),
        ("a = b if c else d\n", "f(b if c else d)\n", [(1, ())]),
        ("a = b or c\n", "a = b or d\n", [(1, ()), (1, ("b or",))]),
        ("a = lambda: b\n", "a = lambda: c\n", [(1, ()), (1, ("the lambda is called",))]),
        ("a = {1: 2, 3: 4}\n", "a = {1: 2, 3: 5}\n", [(1, ()), (1, ("the entry 3 is asked for",))]),
        ("a = {1: 2}\n", "a = {1: 2, 3: 5}\n", [(1, ())]),
        ("a = {1: 2, **b}\n", "a = {1: c(), **b}\n", [(1, ())]),
        (
            "def f(a=1, *, b=2):\n    pass\n",
            "def f(a=1, *, b=3):\n    pass\n",
            [(1, ()), (1, ("b is not given",))],
        ),
        (
            "def f(a=1):\n    pass\n",
            "def f(a=3 * -2):\n    pass\n",
            [(1, ()), (1, ("a is not given",))],
        ),
        ("def f(a=1):\n    pass\n", "def f(a=b()):\n    pass\n", [(1, ())]),
        (
            "def f(a=b()):\n    pass\n",
            "def f(a=1):\n    pass\n",
            [(1, ()), (1, ("a is not given",))],
        ),
        ("a = {1: b()}\n", "a = {1: 2}\n", [(1, ()), (1, ("the entry 1 is asked for",))]),
        ("a = {1: 2}\n", "a = {1: 1 / 3}\n", [(1, ()), (1, ("the entry 1 is asked for",))]),
        ("def f(a):\n    pass\n", "def f(a=1):\n    pass\n", [(1, ())]),
        ("[a for b in c]\n", "[d for b in c if e]\n", [(1, ()), (1, ("for b in c if e",))]),
        ("assert a, b or c\n", "assert a, b or d\n", [(1, ())]),
        (
            "try:\n    a\nexcept E:\n    b\n",
            "try:\n    a\nexcept F:\n    b\n",
            [(4, ("except F",))],
        ),
        ("if a:\n    pass\nelse:\n    b\n", "if a:\n    pass\nelse:\n    c\n", [(4, ("not a",))]),
        ("f(1,\n  2)\n", "f(1,\n  3)\n", [(1, ())]),
        ("def f():\n    return 1\n", "def f():\n    return 2\n", [(2, ("f() is called",))]),
        ("def f():\n    'one'\n", "def f():\n    'two'\n", []),
        ("def f(): pass\n", "@g\ndef f(): pass\n", [(2, ()), (2, ("f() is called",))]),
        ("def f(a):\n    b\n", "def f(c):\n    b\n", [(1, ())]),
        ("for a in b:\n    c\n", "for a in b:\n    d\n", [(2, ("for a in b",))]),
        (
            "try:\n    a\nexcept E:\n    b\n",
            "try:\n    a\nexcept E:\n    c\n",
            [(4, ("except E",))],
        ),
        ("with a:\n    b\n", "with a:\n    c\n", [(2, ())]),
        ("match a:\n case 1:\n  b\n", "match a:\n case 1:\n  c\n", [(3, ("case 1",))]),
    ],
)
def test_statements_of_a_change(
    before: str, after: str, expected: list[tuple[int, tuple[str, ...]]]
) -> None:
    assert statements(before, after) == expected


HELPER = """
def half(number):
    if number < 0:
        raise ValueError(number)
    return number / 2
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [(HELPER, [2]), (HELPER.replace("half", "other"), [2, 3, 4, 5])],
    ids=["as it is written", "another function"],
)
def test_which_way_a_helper_of_a_migration_goes_is_no_change(
    text: str, expected: list[int]
) -> None:
    text += "half(1)\n"
    found = changed_statements(Path("program.py"), text, ast.parse(text), "", [HELPER])
    assert [one.line for one in found] == [*expected, 6]


@pytest.mark.parametrize(
    ("argv", "outcome"), [(("x",), Outcome.MISMATCH), ((), Outcome.INCONCLUSIVE)]
)
def test_what_did_not_run_proves_nothing(
    server: Server, argv: tuple[str, ...], outcome: Outcome
) -> None:
    texts = [CHANGED.format(f"per_process_gpu_memory_fraction={share}") for share in (0.25, 0.5)]
    legs = []
    for mine, theirs in (texts, texts[::-1]):
        lines = [line for line, _ in statements(theirs, mine)]
        legs.append(server.leg(mine, "sim:2x1GiB", False, argv, lines=lines))
    found = Verdict("", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))
    assert found.outcome is outcome, describe(found)
    assert ("program.py:6" in describe(found)) == (not argv)


def test_marks_change_nothing_else(server: Server) -> None:
    text = dedent(
        '''
        """A text."""
        from __future__ import annotations
        import inspect, sys, traceback
        class C:
            """Another."""
            x = 1
        def f():
            """A third."""
            global y
            y = 1
            if y: y = 2
            elif x: y = 3
            try:
                raise ValueError
            except ValueError as error:
                return traceback.extract_tb(error.__traceback__)[-1].lineno
            finally:
                y = 4
        assert __doc__ == "A text." and C.__doc__ == "Another." and f.__doc__ == "A third."
        assert (f(), y) == (15, 4)
        assert "__tfgpu" not in inspect.getsource(f)
        assert [i for i in range(3)] == [0, 1, 2] and (lambda: 1)() == 1
        for i in range(2): pass
        else: z = 1
        '''
    )
    seen = server.leg(text, "sim:2x1GiB", False, lines=list(range(1, 40)))
    assert seen.ended == "end", seen.failure
    assert "program.py:13" in seen.not_run
    assert not {f"program.py:{line}" for line in (4, 5, 7, 11, 12, 14, 15, 20, 25)} & {
        *seen.not_run
    }


PARTS = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
a = 1 if True else 2
b = False or [
    c for c in ()]
if False: d = 1
e = {"f": lambda: 1, "g": lambda: 2}["g"]()
with tf.device("/gpu:0"):
    result = tf.random.uniform([64, 64]) + 1.0
tf.Session().run(result)
"""


def test_parts_of_statements_that_did_not_run(server: Server) -> None:
    other = "".join(PARTS.splitlines(keepends=True)[:3])
    found = changed_statements(Path("program.py"), PARTS, ast.parse(PARTS), other)
    leg = server.leg(PARTS, "sim:1x3GiB", False, statements=found)
    assert leg.not_run == [
        "a part of program.py:4 under not True",
        "a part of program.py:5 under for c in ()",
        "program.py:7 under if False",
        "a part of program.py:8 under the lambda is called",
    ]


ASKED = """
import json, pickle, tensorflow as tf
A = {"one": 1, "two": 2, "three": 3, "four": 4, "five": dict(six=6)}
B = {
    "one": 1}
C, D = {1: "one"}, {2: "two"}
def f(a, b=2, *, c=3):
    "Text."
    return a + b + c
@tf.function
def g(x, y=1, z=2):
    return x * y * z
A["one"], A.get("two"), A.pop("three", 0), B.items(), dict(D), f(1, 2), g(tf.constant(2), 4)
assert json.loads(json.dumps(C)) == {"1": "one"} and pickle.loads(pickle.dumps(D)) == {2: "two"}
assert tf.nest.map_structure(str, C) == {1: "one"}
assert f.__doc__ == "Text." and {**A} == {"one": 1, "two": 2, "four": 4, "five": {"six": 6}}
with tf.device("/gpu:0"):
    tf.random.uniform([64, 64]) + 1.0
"""


def test_entries_and_defaults_that_nothing_asked_for(server: Server) -> None:
    head, use, rest = ASKED.partition('A["one"]')
    other = re.sub(r"([\w\"][:=] ?)(\d|\"one\"|\"two\")", r"\1 9", head) + use + rest
    found = changed_statements(Path("program.py"), ASKED, ast.parse(ASKED), other)
    leg = server.leg(ASKED, "sim:1x3GiB", False, statements=found)
    assert leg.ended == "end", leg.failure
    assert leg.not_run == [
        "a part of program.py:3 under the entry 'four' is asked for",
        "a part of program.py:3 under the entry 'six' is asked for",
        "a part of program.py:6 under the entry 2 is asked for",
        "a part of program.py:11 under y is not given",
    ]


TAKEN = """
import os, tensorflow as tf
class Settings(dict):
    pass
given = Settings(rate=1, late=2)
plain = dict(one=1, two=2)
given.get("rate", 3), given.get("none", 4)
os.environ.get("PATH", "a"), os.environ.get("NO_SUCH", "b"), os.getenv("NO_SUCH", "c")
getattr(given, "missing", 6), getattr(tf, "float32", 7)
plain["one"]
with tf.device("/gpu:0"):
    tf.random.uniform([64, 64]) + 1.0
"""


def test_defaults_that_nothing_took(server: Server) -> None:
    other = re.sub(r"([,=] ?)(\d|\"[abc]\")(?=[,)])", r"\1 9", TAKEN)
    found = changed_statements(Path("program.py"), TAKEN, ast.parse(TAKEN), other)
    leg = server.leg(TAKEN, "sim:1x3GiB", False, statements=found)
    assert leg.ended == "end", leg.failure
    assert leg.not_run == [
        "a part of program.py:6 under the entry 'two' is asked for",
        "a part of program.py:7 under the default 3 is taken",
        "a part of program.py:8 under the default 'a' is taken",
        "a part of program.py:9 under the default 7 is taken",
    ]


CONVERTED = """
import tensorflow as tf
class Model:
    @tf.function(
        reduce_retracing=True)
    def call(self, x):
        if tf.reduce_sum(x) > 0:
            y = x + 1
        else:
            y = x - 1
        return y if self else None
def scaled(times):
    @tf.function
    def scale(x):
        for _ in tf.range(times):
            x = x * 2
        return x
    return scale
def helper(x):
    return x
def unused(x):
    return x
@tf.function
def whole(x):
    if tf.__version__ < "1":
        x = unused(x)
    return helper(x)
with tf.device("/cpu:0"):
    one, model, triple = tf.constant(1.0), Model(), tf.function(lambda x: x * 3)
    results = [model.call(one), scaled(2)(one), triple(one), whole(one)]
    assert [float(each) for each in results] == [2, 4, 3, 1]
    assert list(tf.data.Dataset.range(3).map(lambda x: x + 1).as_numpy_iterator()) == [1, 2, 3]
"""


def test_statements_of_functions_that_autograph_converts(server: Server) -> None:
    found = changed_statements(Path("program.py"), CONVERTED, ast.parse(CONVERTED), "")
    leg = server.leg(CONVERTED, "sim:1x3GiB", False, statements=found)
    assert (leg.ended, leg.stdout) == ("end", ""), leg.failure
    assert leg.not_run == [
        "a part of program.py:11 under call() is called, not self",
        "program.py:22 under unused() is called",
        "program.py:26 under whole() is called, if tf.__version__ < '1'",
    ]


DIRECTIVE = """
import tensorflow as tf
@tf.function
def repeated(value, count):
    number = 0
    while number < count:
        tf.autograph.experimental.set_loop_options(parallel_iterations=1)
        value = tf.matmul(value, value)
        number += 1
    return value
for _ in range(2):
    repeated(tf.ones([8, 8]), tf.constant(3))
"""


def test_a_directive_stays_the_first_statement_of_its_loop(server: Server) -> None:
    found = changed_statements(Path("program.py"), DIRECTIVE, ast.parse(""), "")
    leg = server.leg(DIRECTIVE, "sim:1x3GiB", False, statements=found)
    assert leg.failure is None
    assert leg.not_run == []


# --- what comes behind the training ---

TRAINING = """
with tf.device("/gpu:0"):
    train = tf.reduce_sum(tf.random.uniform([64, 64]))
with tf.Session() as session:
    LOOP
with tf.Graph().as_default(), tf.device("/gpu:{}"):
    score = tf.reduce_sum(tf.random.uniform([64, 64]), name="score")
    with tf.Session() as session:
        print("evaluated", session.run(score))
"""


@pytest.mark.parametrize(
    "loop",
    [
        "for _ in range(1000): session.run(train)",
        "for _ in range(1000): session.run([train, train.op])",
        "run = session.make_callable(train)\n    for _ in range(1000): run()",
    ],
)
def test_an_evaluation_behind_the_training_is_compared(compared: Compare, loop: str) -> None:
    text = V1 + TRAINING.replace("LOOP", loop)
    wrong = compared(text.format(0), text.format(1))
    assert wrong.outcome is Outcome.MISMATCH, describe(wrong)
    assert "score" in describe(wrong)
    right = compared(text.format(0), text.format(0))
    assert right.outcome is Outcome.MATCH, describe(right)
    assert (right.after.ended, right.after.steps) == ("end", 5)
    assert right.after.stdout.startswith("evaluated")


@pytest.mark.parametrize("end", ["raise ValueError(value)", "sys.exit(3)"])
def test_what_old_results_lead_to_is_no_failure(compared: Compare, end: str) -> None:
    text = V1 + WORK + "import sys\nfor _ in range(50): value = session.run(result)\n" + end
    seen = compared(text, text)
    assert seen.outcome is Outcome.MATCH, describe(seen)
    assert seen.before.ended == "steps"


# --- the program as it is, or TensorFlow 1's stand-in ---


@pytest.mark.parametrize(
    ("text", "stands_in", "printed"),
    [
        (V2 + "print('once')\n" + WORK, True, "once\n"),
        (V2 + "print('once')\n" + EAGER, False, "once\n"),
        (
            V2 + "import os\nchild = os.fork()\n" + WORK + "if not child:\n    os._exit(0)\n"
            "os.waitpid(child, 0)\nprint('once')\n",
            True,
            "once\n",
        ),
        (
            V2 + "if tf.__version__ < '2':\n    tf.Session()\n" + EAGER + "print(result.device)\n",
            False,
            "/job:localhost/replica:0/task:0/device:GPU:0\n",
        ),
        (
            V2 + "try:\n    tf.Session\nexcept AttributeError:\n    tf = tf.compat.v1\n"
            "    tf.disable_v2_behavior()\n" + WORK + "print('once')\n",
            False,
            "once\n",
        ),
    ],
)
def test_the_stand_in_comes_second(
    server: Server, text: str, stands_in: bool, printed: str
) -> None:
    seen = server.leg(text, "sim:2x1GiB", True)
    assert (seen.ended, list(seen.trouble)) == ("end", []), seen.failure
    assert (seen.stands_in, seen.stdout) == (stands_in, printed)
    titles = [session.title for session in seen.sessions]
    assert titles == (["session 1"] if "Session" in text and "result.device" not in text
                      else ["eager context"])  # fmt: skip
