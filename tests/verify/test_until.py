"""`--until session`: a program that cannot run further gets a verdict about its configuration."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.verify.server import Server, describe
from tests.verify.wrong_migrations import CASES, Case, Wrong
from tfgpu.code.parse import parse
from tfgpu.verify.changed import Statement, changed_statements
from tfgpu.verify.compare import compare
from tfgpu.verify.observation import Observation
from tfgpu.verify.uses import uses_of
from tfgpu.verify.verdict import Outcome, Verdict

NO_DATA = "\nopen('/no/such/data')\n"
BEFORE = """
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
"""
AFTER = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
"""
TRAINING = """
with tf.device("/gpu:1"):
    step = tf.matmul(tf.placeholder(tf.float32, [8, 8], "data"), tf.ones([8, 8]))
"""
RUNS = """
import pickle
session.run(step, {"data:0": pickle.load(open("/no/such/data", "rb"))})
"""
SESSION = "session = tf.Session(config=config)\n"
PLAIN = "session = tf.Session()\n"
INIT = "session.run(tf.global_variables_initializer())\n"

RIGHT = BEFORE + TRAINING + SESSION, AFTER + TRAINING + PLAIN


def lines(text: str, other: str) -> list[int]:
    """Return the lines of statements that have to run, for the one of two versions."""
    path = Path("program.py")
    module = ast.parse(text)
    changed = changed_statements(path, text, parse(text), other)
    return [one.line for one in uses_of(changed, {path: module})]


def verdict(server: Server, before: str, after: str, gpus: str = "sim:2") -> Verdict:
    """Run both until their first session, with the statements that have to run."""
    first = server.leg(before, gpus, True, until=True, lines=lines(before, after))
    second = server.leg(after, gpus, False, until=True, lines=lines(after, before))
    return Verdict(gpus, True, first, second, compare(first, second, simulated=True))


@pytest.mark.parametrize("rest", [RUNS, INIT + RUNS, "", NO_DATA, "session.close()\n" + NO_DATA])
def test_a_right_migration(server: Server, rest: str) -> None:
    found = verdict(server, RIGHT[0] + rest, RIGHT[1] + rest)
    assert found.outcome is Outcome.MATCH, describe(found)
    assert found.before.reached and found.after.reached
    kinds = {one.kind: one.device for leg in found.before.placements for one in leg.operations}
    assert kinds["Placeholder"] == "GPU:1"


def test_in_a_block(server: Server) -> None:
    block = "with {} as session:\n    open('/no/such/data')\n"
    before = BEFORE + TRAINING + block.format("tf.Session(config=config)")
    after = AFTER + TRAINING + block.format("tf.Session()")
    found = verdict(server, before, after)
    assert found.outcome is Outcome.MATCH, describe(found)


def test_a_finalized_graph(server: Server) -> None:
    rest = "tf.get_default_graph().finalize()\n" + RUNS
    found = verdict(server, RIGHT[0] + rest, RIGHT[1] + rest)
    assert found.outcome is Outcome.MATCH, describe(found)


def test_a_monitored_session(server: Server) -> None:
    made = "session = tf.train.MonitoredTrainingSession({})\n"
    more = "tf.train.get_or_create_global_step()\n"
    before = BEFORE + TRAINING + more + made.format("config=config") + RUNS
    after = AFTER + TRAINING + more + made.format("") + RUNS
    found = verdict(server, before, after)
    assert found.outcome is Outcome.MATCH, describe(found)


def test_eager_code(server: Server) -> None:
    text = """
import tensorflow as tf
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, {})
@tf.function
def step(x):
    return tf.matmul(x, x)
weights = tf.Variable(tf.ones([4, 4]))
data = open("/no/such/data")
step(weights)
"""
    assert verdict(server, text.format(True), text.format("not False")).outcome is Outcome.MATCH
    assert verdict(server, text.format(True), text.format(False)).outcome is Outcome.MISMATCH


WRONG = {
    "growth lost": (RIGHT[0] + RUNS, RIGHT[1].replace("memory_growth(gpu, True)",
                                                      "memory_growth(gpu, False)") + RUNS),
    "another device": (RIGHT[0] + RUNS, RIGHT[1].replace("gpu:1", "gpu:0") + RUNS),
    "a lost device": (RIGHT[0] + RUNS, RIGHT[1].replace('"/gpu:1"', "None") + RUNS),
    "one side fails": (RIGHT[0] + NO_DATA, RIGHT[1] + "undefined\n"),
    "no session on one side": (RIGHT[0] + RUNS, RIGHT[1].replace(PLAIN, NO_DATA + PLAIN) + RUNS),
    "no session on both": (BEFORE + NO_DATA + SESSION, AFTER + NO_DATA + PLAIN),
    "a later session": (
        RIGHT[0] + RUNS + "config.gpu_options.per_process_gpu_memory_fraction = 0.5\n" + SESSION,
        RIGHT[1] + RUNS + PLAIN,
    ),
    "a later function uses what was set": (
        "DEVICE = '/gpu:1'\n" + RIGHT[0] + RUNS + "with tf.device(DEVICE):\n    tf.ones([2])\n",
        "DEVICE = '/gpu:0'\n" + RIGHT[1] + RUNS + "with tf.device(DEVICE):\n    tf.ones([2])\n",
    ),
    "a later session gets what was set": (
        BEFORE + "other = tf.ConfigProto()\n" + TRAINING + SESSION + RUNS
        + "tf.Session(config=other)\n",
        BEFORE.replace("import tensorflow as tf",
                       "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()")
        + "other = tf.ConfigProto(log_device_placement=True)\n" + TRAINING + SESSION + RUNS
        + "tf.Session(config=other)\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_migration_is_no_match(server: Server, name: str) -> None:
    found = verdict(server, *WRONG[name])
    assert found.outcome in (Outcome.MISMATCH, Outcome.INCONCLUSIVE), describe(found)


def test_what_was_not_reached_is_named(server: Server) -> None:
    found = verdict(server, *WRONG["a later function uses what was set"])
    assert found.outcome is Outcome.INCONCLUSIVE
    assert any("program.py:13" in place for place in found.before.not_run), found.before.not_run


Leg = Callable[[Case, Wrong | None], Verdict]


@pytest.fixture(scope="module")
def case_verdict(server: Server) -> Leg:
    """Runs a case's program, once, and one of its migrations, until their first session."""
    known: dict[str, Observation] = {}

    def run(case: Case, wrong: Wrong | None) -> Verdict:
        before, after = case.before_program, case.after_program(wrong)
        if case.name not in known:
            known[case.name] = server.leg(before, case.gpus, True, until=True)
        ran = server.leg(after, case.gpus, False, until=True, lines=lines(after, before))
        aspects = compare(known[case.name], ran, simulated=True)
        return Verdict(case.gpus, True, known[case.name], ran, aspects)

    return run


@pytest.mark.parametrize(
    ("case", "wrong"),
    [
        pytest.param(case, wrong, id=f"{case.name}: {wrong.name}")
        for case in CASES
        for wrong in case.wrong
    ],
)
def test_no_wrong_case_matches(case_verdict: Leg, case: Case, wrong: Wrong) -> None:
    found = case_verdict(case, wrong)
    assert found.outcome in (Outcome.MISMATCH, Outcome.INCONCLUSIVE), describe(found)


def test_lines_are_followed() -> None:
    path = Path("a.py")
    text = "D = 1\nclass A:\n  def f(self):\n    self.d = D\n  def g(self):\n    use(self.d)\n"
    found = uses_of([Statement(path, 1)], {path: ast.parse(text)})
    assert [one.line for one in found] == [1, 4, 6]


class TestBehindTheFirstStep:
    """What was changed at a later session is reached with zeros for what the steps compute."""

    STEP = "\nfor _ in range(3):\n    loss = session.run(step, {'data:0': np.ones([16, 8])})\n"
    START = "import numpy as np\n"
    SECOND = (
        "with tf.device('/gpu:{}'):\n    more = tf.matmul(step, step, name='more')\n"
        "assert loss.shape == (16, 8) and not loss.any()\n"
    )
    TRAINING = TRAINING.replace("[8, 8], ", "[None, 8], ")

    def pair(self, second: str = "1", soft: str = "True") -> tuple[str, str]:
        """Return two programs with a second session, whose device and placement are given."""
        before = (
            self.START + BEFORE + self.TRAINING + SESSION + self.STEP + self.SECOND.format(1)
            + "config.allow_soft_placement = True\n"
            + "other = tf.Session(config=config)\nother.run(more)\n"
        )  # fmt: skip
        after = (
            self.START
            + BEFORE.replace("import tensorflow as tf",
                             "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()")
            + self.TRAINING + SESSION + self.STEP + self.SECOND.format(second)
            + f"config.allow_soft_placement = bool({soft})\n"
            + "other = tf.Session(config=config)\nother.run(more)\n"
        )  # fmt: skip
        return before, after

    def verdict(self, server: Server, before: str, after: str) -> Verdict:
        legs = [
            server.leg(
                text, "sim:2", number == 0, until=True, goes_on=True, lines=lines(text, other)
            )
            for number, (text, other) in enumerate([(before, after), (after, before)])
        ]
        return Verdict("sim:2", True, legs[0], legs[1], compare(legs[0], legs[1], simulated=True))

    def test_a_right_one(self, server: Server) -> None:
        found = self.verdict(server, *self.pair())
        assert found.outcome is Outcome.MATCH, describe(found)
        assert [len(leg.sessions) for leg in (found.before, found.after)] == [2, 2]

    @pytest.mark.parametrize("wrong", [{"second": "0"}, {"soft": "False"}])
    def test_a_wrong_one(self, server: Server, wrong: dict[str, Any]) -> None:
        found = self.verdict(server, *self.pair(**wrong))
        assert found.outcome in (Outcome.MISMATCH, Outcome.INCONCLUSIVE), describe(found)

    def test_growth_of_a_later_session_on_the_same_gpus(self, server: Server) -> None:
        before, after = self.pair()
        late = before.replace("config.gpu_options.allow_growth = True\n", "").replace(
            "other = tf.S", "config.gpu_options.allow_growth = True\nother = tf.S"
        )
        found = self.verdict(
            server, late, after.replace("config.gpu_options.allow_growth = True\n", "")
        )
        assert found.outcome is Outcome.MATCH, describe(found)
        assert self.verdict(server, late, after).outcome is Outcome.MISMATCH

    def test_a_loop_until_the_data_ends(self, server: Server) -> None:
        loop = (
            "\nloss = np.zeros([16, 8])\ntry:\n    while True:\n"
            "        session.run(step, {'data:0': loss})\n"
            "except tf.errors.OutOfRangeError:\n    pass\n"
        )
        before, after = (text.replace(self.STEP, loop) for text in self.pair())
        found = self.verdict(server, before, after)
        assert found.outcome is Outcome.MATCH, describe(found)
        assert [len(leg.sessions) for leg in (found.before, found.after)] == [2, 2]
