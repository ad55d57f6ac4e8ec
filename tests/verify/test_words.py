"""What a verdict says of a difference: what to do, what is behind it, what only follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.verify.server import Compare, describe, libraries_or_skip
from tests.verify.test_command import verify
from tfgpu.verify.verdict import HOW_IT_ENDED, Outcome

V1 = "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\n"
LOOP = """
out = tf.data.make_one_shot_iterator(tf.data.Dataset.range(40)).get_next() * 2
with tf.Session() as session:
    while True:
        try:
            session.run(out)
        except tf.errors.OutOfRangeError:
            {}
"""
NEVER = """
if len([]) > 1:
    {}
with tf.Session() as session:
    session.run(tf.ones([8]) * 2)
"""
ARGUMENTS = "import sys\nprint(sys.argv)\n"
CHAIN = """
x = tf.random.uniform([64, 64])
for _ in range(20):
    x = tf.matmul(x, x)
{0}
with tf.Session() as session:
    session.run(x)
{1}
    session.run(tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0]))
"""
MOVED = """
with tf.device("/gpu:{0}"):
    y = tf.identity(tf.ones([8]), name="y")
session = tf.Session()
session.run(y)
{1}
session.run([y + 1, y + 2])
"""
SOFT = """
config = tf.ConfigProto(allow_soft_placement=True)
with tf.device("/gpu:0"):
    x = tf.{}(tf.ones([8, 8]), name="x")
tf.Session(config=config).run(x)
"""


@pytest.mark.parametrize(
    ("text", "steps", "arguments"),
    [
        (V1 + LOOP, True, False),
        (V1 + ARGUMENTS + LOOP, True, True),
        (V1 + NEVER, False, False),
        (V1 + ARGUMENTS + NEVER, False, True),
    ],
    ids=["loop", "loop and arguments", "never", "arguments"],
)
def test_what_may_reach_a_statement(
    tmp_path: Path, text: str, steps: bool, arguments: bool
) -> None:
    libraries_or_skip()
    (tmp_path / "before.py").write_text(text.format("break" if "try" in text else "x = 1"), "utf-8")
    (tmp_path / "after.py").write_text(
        text.format("print()\n            break" if "try" in text else "x = [1]"), "utf-8"
    )
    done = verify(tmp_path, "before.py", "after.py", "--quick")
    said = " ".join(done.stdout.split())
    assert "did not all run" in said, said
    assert ("--steps 0" in said, "--args" in said) == (steps, arguments), said


@pytest.mark.parametrize("place", [0, 1], ids=["before a session", "behind a step"])
def test_what_follows_from_an_error_is_one_entry(compared: Compare, place: int) -> None:
    raises = ["", ""]
    raises[place] = "    " * place + "raise ValueError('no')"
    found = compared(V1 + CHAIN.format(*raises), V1 + CHAIN.format("", ""))
    assert found.outcome is Outcome.MISMATCH
    for aspect in found.aspects:
        wrong = [one for one in aspect.entries if one.outcome is Outcome.MISMATCH]
        assert len(wrong) <= 1, describe(found)
        reasons = {one.reason for one in wrong if one.subject != HOW_IT_ENDED}
        assert reasons <= {"before did not come so far: ValueError"}, describe(found)


def test_what_differs_before_an_error_is_told(compared: Compare) -> None:
    found = compared(V1 + MOVED.format(0, ""), V1 + MOVED.format(1, "raise ValueError"))
    assert "asked for GPU:0 before, GPU:1 after" in describe(found), describe(found)
    assert "after did not come so far: ValueError" in describe(found)


def test_another_operation_of_a_name_is_no_matter_of_settings(
    compared: Compare,
) -> None:
    found = compared(V1 + SOFT.format("exp"), V1 + SOFT.format("tanh"))
    assert "another operation of this name: Exp before, Tanh after" in describe(found)
    assert "allow_soft_placement" not in describe(found)
