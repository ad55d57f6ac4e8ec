"""Constants that are others in the second program: equal runs do not show what they do."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.verify.server import libraries_or_skip
from tests.verify.test_command import verify
from tfgpu.verify.new_constants import changed_constants

CHANGED = [
    ("d = d.map(f, num_parallel_calls=4)", "d = d.map(f, num_parallel_calls=16)", "4, then 16"),
    ("f(-1, 2)", "f(-3, 2)", "-1, then -3"),
    ("x = [(0, 'a'), (1, 'b')]", "x = [(1, 'a'), (0, 'b')]", "0, then 1; 1, then 0"),
    ("f(wait=True)", "f(wait=False)", "True, then False"),
    ("f(limit=None)", "f(limit=3)", "None, then 3"),
    ("f(P.OFF)", "f(P.DYNAMIC)", "P.OFF, then P.DYNAMIC"),
    ("def f(n=2):\n    g(n)", "def f(n=3):\n    g(n)", "2, then 3"),
    ("while n < 5:\n    g()", "while n < 1:\n    g()", "5, then 1"),
    ("image(width=3)", "image(width=4)", "3, then 4"),
    ("Trainer(precision=32)", "Trainer(precision=16)", "32, then 16"),
    ("print(f(3))", "print(f(4))", "3, then 4"),
    (
        "try:\n    f()\nexcept RuntimeError as e:\n    print(e)",
        "try:\n    f()\nexcept ValueError as e:\n    print(e)",
        "except RuntimeError, then except ValueError",
    ),
    (
        "try:\n    f()\nexcept RuntimeError:\n    g()",
        "try:\n    f()\nexcept RuntimeError:\n    g()\nexcept Exception:\n    pass",
        "no handler, then except Exception",
    ),
]
SAME = [
    ("f(1e-3)", "f(0.001)"),
    ("print('a', 3)", "print('a', 4)"),
    ("m.fit(x, verbose=1)", "m.fit(x, verbose=0)"),
    ("import sys\nsys.exit(1)", "import sys\nsys.exit(2)"),
    ("f('0')", "f('1')"),
    ("f(1)\nf(2)", "f(2)\nf(1)"),
    ("f(1)", "g(2)"),
    ("f(1)", "f(number)"),
    ("def f():\n    return 0", "def g():\n    return 1"),
    ("config.allow_growth = True", "tf.config.set_memory_growth(gpu, False)"),
    ("try:\n    f()\nexcept A:\n    print(1)", "f()"),
]
QUEUE = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
ones = tf.train.batch([tf.ones([64])], batch_size=8, num_threads=8, capacity=32)
with tf.Session() as session:
    tf.train.start_queue_runners(session)
    session.run(ones)
"""


@pytest.mark.parametrize(("before", "after", "texts"), CHANGED)
def test_constants_that_were_changed(before: str, after: str, texts: str) -> None:
    found = changed_constants(ast.parse(before), ast.parse(after))
    assert [text for _, text in found] == [texts]
    assert not changed_constants(ast.parse(before), ast.parse(before))


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_is_no_changed_constant(before: str, after: str) -> None:
    assert not changed_constants(ast.parse(before), ast.parse(after))


def test_a_number_that_shows_in_nothing_is_no_match(tmp_path: Path) -> None:
    libraries_or_skip()
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(QUEUE, "utf-8")
    after.write_text(QUEUE.replace("num_threads=8", "num_threads=1"), "utf-8")
    result = verify(tmp_path, str(before), str(after))
    assert result.returncode == 3, result.stdout
    assert "after.py:4: 8, then 1" in result.stdout
