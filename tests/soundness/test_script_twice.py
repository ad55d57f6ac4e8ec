"""A script that a module of it imports by its own name: its code runs twice in one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.runner import Entry, Program, Runner
from tests.soundness.test_windows import migrated

PLAIN = "print(len(tf.Session(graph=tf.Graph()).list_devices()))\n"
SCRIPT = """import tensorflow as tf
{}config = tf.ConfigProto({})
session = tf.Session(config=config)
print(session.run(tf.constant(1)))
{}if __name__ == "__main__":
    {}
"""
DATA = "tf.data.Dataset.range(3).map(lambda item: item)\n"
AGAIN = {
    "by itself": ("import train", None),
    "by its name": ("__import__('train')", None),
    "by another module": ("import other", "import train\n"),
    "by a function of another module": (
        "import other; other.go()",
        "def go():\n    from train import session\n",
    ),
}


def files(above: str, field: str, below: str, how: str) -> dict[str, str]:
    last, other = AGAIN[how]
    found = {"train.py": SCRIPT.format(above, field, below, last)}
    return found if other is None else {**found, "other.py": other}


@pytest.mark.parametrize("how", AGAIN)
@pytest.mark.parametrize(
    ("above", "field", "below"),
    [
        pytest.param("", "intra_op_parallelism_threads=2", DATA, id="behind the eager context"),
        pytest.param(PLAIN, "device_count={'GPU': 0}", "", id="in front of a plain session"),
    ],
)
def test_what_runs_twice(runner: Runner, above: str, field: str, below: str, how: str) -> None:
    program = Program(files(above, field, below, how), [Entry("train.py")])
    report = runner.compare(program)
    assert not report.differences, report


def test_a_script_that_nothing_imports_again_converts(tmp_path: Path) -> None:
    text = SCRIPT.format(PLAIN, "allow_soft_placement=True", "", "import other")
    assert "ConfigProto(" not in migrated(tmp_path, main=text, other="import math\n")
