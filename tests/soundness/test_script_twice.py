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


# What a script, or a module of it, sets in one copy of itself, and reads in both.
SETS = {
    "in a function": """config = None
def limit():
    global config
    config = tf.ConfigProto(device_count={"GPU": 1})
""",
    "below the test of the name": """config = tf.ConfigProto(allow_soft_placement=True)
def limit():
    print("no limit")
if __name__ == "__main__":
    config.gpu_options.visible_device_list = "0"
""",
    "in a class": """class Settings:
    config = tf.ConfigProto(allow_soft_placement=True)
def limit():
    print("no limit")
if __name__ == "__main__":
    Settings.config.log_device_placement = True
""",
    "in an attribute that is not there else": """class Settings:
    pass
def limit():
    Settings.config = tf.ConfigProto(allow_soft_placement=True)
""",
}
RUN = """def run():
    with tf.Session(graph=tf.Graph(), config={}) as session:
        print(len(session.list_devices()))
"""
BOTH = """if __name__ == "__main__":
    limit()
    run()
    import other
    other.go()
"""
TWO_NAMES = """import sys
sys.path.insert(0, "pkg")
import net
from pkg import net as same
net.limit()
net.run()
same.run()
"""


def module(how: str, below: str = "") -> str:
    run = RUN.format("Settings.config" if "Settings" in SETS[how] else "config")
    return f"import tensorflow as tf\n{SETS[how]}{run}{below}"


@pytest.mark.parametrize("how", SETS)
def test_what_one_copy_sets_does_not_reach_the_other(runner: Runner, how: str) -> None:
    other = "import train\ndef go():\n    train.run()\n"
    program = Program({"train.py": module(how, BOTH), "other.py": other}, [Entry("train.py")])
    report = runner.compare(program)
    assert not report.differences, report


def test_a_module_with_two_names_has_two_copies(runner: Runner) -> None:
    written = {"main.py": TWO_NAMES, "pkg/net.py": module("in a function")}
    report = runner.compare(Program(written, [Entry("main.py")]))
    assert not report.differences, report


def test_a_script_that_its_package_imports_is_kept(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/__init__.py").write_text("from pkg.train import run\n")
    script = tmp_path / "pkg/train.py"
    below = "if __name__ == '__main__':\n    limit()\n    run()\n"
    script.write_text(module("in a function", below))
    migrated(tmp_path, main="import pkg\n")
    assert "ConfigProto(" in script.read_text()


@pytest.mark.parametrize(
    "text",
    [
        # Nothing but the script itself imports it.
        module("in a function", BOTH),
        # The variable is read in the copy that sets it alone.
        """import tensorflow as tf
import other
def train(config):
    print(tf.Session(config=config).run(tf.constant(1)))
if __name__ == "__main__":
    config = tf.ConfigProto(allow_soft_placement=True)
    train(config)
    other.name()
""",
        # Each object has a config of its own.
        """import tensorflow as tf
import other
class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)
    def run(self):
        print(tf.Session(config=self.config).run(tf.constant(1)))
if __name__ == "__main__":
    Trainer().run()
    other.name()
""",
    ],
)
def test_what_no_other_copy_reads_converts(tmp_path: Path, text: str) -> None:
    again = "import math\n" if "other.go" in text else "def name():\n    from main import tf\n"
    assert "ConfigProto(" not in migrated(tmp_path, main=text, other=again)
