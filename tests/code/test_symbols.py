"""What names stand for."""

from __future__ import annotations

import pytest

from tests.tools import migrated


@pytest.mark.parametrize(
    "function",
    [
        "def made(depth):\n    return made(depth - 1).inner\n",
        "def made(depth):\n    return other(depth).inner\n\n\n"
        "def other(depth):\n    return made(depth).outer\n",
    ],
)
def test_function_that_returns_a_part_of_its_own_result(function: str) -> None:
    before = (
        "import tensorflow as tf\n\n\n"
        f"{function}\n\n"
        "sess = tf.Session(config=tf.ConfigProto(log_device_placement=True))\n"
        "made(3).run()\n"
    )
    assert "tf.debugging.set_log_device_placement(True)" in migrated(before)
