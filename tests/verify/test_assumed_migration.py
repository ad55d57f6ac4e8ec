"""`migrate --verify` converts on assumptions, and writes what a run has shown them to hold for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.tools import GROWTH
from tests.files.notebooks import notebook
from tests.verify.loaded import command
from tests.verify.server import libraries_or_skip
from tfgpu.verify.programs import programs_among, users_of

PROGRAM = """\
import sys

import tensorflow as tf


def measure(kind):
    if kind == "plain":
        tf.Session().run(tf.random_uniform([8]))


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True

    def train(self):
        with tf.Session(graph=tf.get_default_graph(), config=self.config) as sess:
            with tf.device("/gpu:0"):
                sess.run(tf.random_uniform([8]))


trainer = Trainer()
{"measure": measure}["measure"](sys.argv[1])
trainer.train()
"""


HELPER = """\
import tensorflow as tf


def growing():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config
"""

SURE = """\
import tensorflow as tf

from helper import growing

with tf.Session(config=growing()) as sess:
    with tf.device("/gpu:0"):
        sess.run(tf.random_uniform([8]))
"""


def test_without_a_run_the_config_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    done = command(tmp_path, "migrate", "--write", "--force", "train.py")
    assert "TFG914" in done.stderr
    assert path.read_text() == PROGRAM


def test_a_run_in_which_it_held_writes_the_conversion(tmp_path: Path) -> None:
    libraries_or_skip()
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    arguments = ("migrate", "--write", "--force", "--verify", "train.py", "--", "none")
    done = command(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert "converted on an assumption: no session is made before" in done.stderr
    assert "set_memory_growth" in path.read_text()


def test_a_run_in_which_it_failed_leaves_what_rests_on_it(tmp_path: Path) -> None:
    libraries_or_skip()
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    (tmp_path / "sure.py").write_text(SURE)
    (tmp_path / "helper.py").write_text(HELPER)
    arguments = ("migrate", "--write", "--force", "--verify", "--quick", ".", "--", "plain")
    done = command(tmp_path, *arguments)
    assert "once more, without what rests on an assumption that failed" in done.stderr
    assert "TFG914" in done.stderr
    assert done.returncode == 0, done.stderr
    assert path.read_text() == PROGRAM
    # What is imported is run with what imports it, never by itself.
    assert "config=" not in (tmp_path / "sure.py").read_text()
    assert "set_memory_growth" in (tmp_path / "helper.py").read_text()


@pytest.mark.parametrize(("argument", "holds"), [("none", True), ("plain", False)])
def test_a_notebook_is_run_by_its_cells(tmp_path: Path, argument: str, holds: bool) -> None:
    libraries_or_skip()
    path = tmp_path / "train.ipynb"
    path.write_text(text := notebook(*PROGRAM.split("\n\n\n")))
    arguments = ("migrate", "--write", "--force", "--verify", "--quick", "train.ipynb")
    done = command(tmp_path, *arguments, "--", argument)
    assert done.returncode == 0, done.stderr
    assert ("set_memory_growth" in path.read_text()) is holds
    assert (path.read_text() == text) is not holds
    # The place of the assumption that failed.
    assert ("source  train.ipynb:cell 4:7" in done.stderr) is not holds


def test_files_that_are_changed_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "train": "import model",
        "evaluate": "import model, other",
        "model": "import train_util",
        "train_util": "import model",
        "other": "import alone_not",
        "alone": "import os",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    files = [tmp_path.resolve() / f"{name}.py" for name in texts if name != "other"]
    found = [
        ([path.stem for path in scripts], [path.stem for path in own])
        for scripts, own in programs_among(files)
    ]
    together = ["train", "model", "train_util", "evaluate"]
    assert found == [(["train", "evaluate"], together), (["alone"], ["alone"])]


def test_a_program_that_uses_nothing_of_what_is_changed(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "sure.py").write_text(SURE)
    (tmp_path / "other.py").write_text("import os\n")
    done = command(tmp_path, "migrate", "--verify", "--program", "other.py", ".")
    assert done.returncode == 2
    assert "other.py imports none of the files that would change" in done.stderr


def test_who_uses_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "agent.py": "import os",
        "runner.py": "import agent",
        "main.py": "import runner, agent",
        "tests/test_agent.py": "import sys\nsys.path.append('..')\nimport agent",
        "other.py": "agent = 1",
        "broken.py": "import agent\nprint 1",
        "agents.txt": "import agent",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    files = [Path(name) for name in texts]
    assert users_of(Path("agent.py"), files)[0] == Path("main.py")
    assert users_of(Path("main.py"), files) == []


def test_the_program_of_a_file_that_does_nothing_by_itself(tmp_path: Path) -> None:
    libraries_or_skip()
    (tmp_path / "agent.py").write_text(GROWTH)
    (tmp_path / "main.py").write_text("import agent\nagent.train()\n")
    done = command(tmp_path, "migrate", "--verify", "--quick", ".")
    assert done.returncode == 3, done.stderr
    assert "agent.py is imported by main.py: --program main.py runs that" in done.stderr


def test_files_that_import_each_other_are_all_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, other in (("a", "b"), ("b", "a")):
        (tmp_path / f"{name}.py").write_text(f"import {other}")
    files = [tmp_path.resolve() / "a.py", tmp_path.resolve() / "b.py"]
    assert programs_among(files) == [(files, files)]


TWO_COMMANDS = """\
import sys

import tensorflow as tf


def work(sess):
    with tf.device("/gpu:0"):
        sess.run(tf.random_uniform([8]))


def train():
    work(tf.Session(config=tf.ConfigProto(allow_soft_placement=True)))


def debug():
    work(tf.Session())


for name in sys.argv[1:]:
    {"train": train, "debug": debug}[name]()
"""


@pytest.mark.parametrize(
    ("commands", "held"), [(["debug", "train"], True), (["train", "debug"], False)]
)
def test_sessions_of_which_a_run_makes_one(tmp_path: Path, commands: list[str], held: bool) -> None:
    libraries_or_skip()
    path = tmp_path / "train.py"
    path.write_text(TWO_COMMANDS)
    arguments = (
        "migrate",
        "--write",
        "--force",
        "--verify",
        "--quick",
        "train.py",
        "--",
        *commands,
    )
    done = command(tmp_path, *arguments)
    assert "assumption" in done.stderr
    assert done.returncode == 0, done.stderr
    assert (path.read_text() != TWO_COMMANDS) is held


BRIDGE = """\
import importlib
import sys

import tensorflow as tf

if len(sys.argv) > 5:
    importlib.import_module(sys.argv[1]).run()
config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    with tf.device("/gpu:0"):
        sess.run(tf.random_uniform([8]))
"""


def test_a_bridge_is_run_as_its_program_was(tmp_path: Path) -> None:
    libraries_or_skip()
    path = tmp_path / "train.py"
    path.write_text(BRIDGE)
    arguments = ("migrate", "--write", "--force", "--verify", "--quick", "train.py")
    done = command(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert "not on TensorFlow 2 as it stands" in done.stderr
    assert "import tensorflow as tf\n" in path.read_text()
    assert "set_visible_devices" in path.read_text()


PREPARES = """\
import os
import sys

import tensorflow as tf


def prepare():
    if sys.argv[1] == "order":
        os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    return tf.get_default_graph()


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.device("/gpu:0"):
    x = tf.random_uniform([8])
with tf.Session(graph=prepare(), config=config) as sess:
    sess.run(x)
"""


@pytest.mark.parametrize(("given", "held"), [("none", True), ("order", False)])
def test_what_an_argument_of_the_session_does(tmp_path: Path, given: str, held: bool) -> None:
    libraries_or_skip()
    path = tmp_path / "train.py"
    path.write_text(PREPARES)
    arguments = ("migrate", "--write", "--force", "--verify", "--quick", "train.py", "--", given)
    done = command(tmp_path, *arguments)
    assert "no variable that CUDA reads, or XLA, is written between" in done.stderr
    assert ("once more, without what rests on an assumption" in done.stderr) is not held
    assert (path.read_text() != PREPARES) is held


KERAS_AGAIN = """\
import sys

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K


def set_gpu(fraction):
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = fraction
    K.set_session(tf.Session(config=config))


for i in range(int(sys.argv[1])):
    set_gpu(float(sys.argv[2]) / (i + 1))
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile(loss="mse", optimizer="sgd")
    model.fit(np.ones((8, 4)), np.ones((8, 1)), epochs=1, verbose=0)
    K.clear_session()
"""


def test_settings_that_are_reached_again_behind_eager_code(tmp_path: Path) -> None:
    """Without Keras's session the second ones would come too late: it stays."""
    libraries_or_skip()
    path = tmp_path / "train.py"
    path.write_text(KERAS_AGAIN)
    arguments = ("migrate", "--write", "--force", "--verify", "--quick", "train.py", "--", "2", "1")
    done = command(tmp_path, *arguments)
    assert done.returncode == 0, done.stderr
    assert "K.set_session(tf.Session())" in path.read_text()
