"""The TF1 fixtures on the real TensorFlow 1.15 before and TensorFlow 2 after, on simulated GPUs.

Needs an interpreter with tensorflow-gpu 1.15: $TFGPU_TF1_PYTHON, or a python3.7 that has it. The
figures are those of four GPUs of 16 GiB; docs/tf1.md tells how they came about.
"""

import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.verify.fixture_programs import FIXTURES
from tests.verify.interpreters import python_with_tensorflow1
from tests.verify.loaded import command
from tests.verify.server import describe
from tfgpu.verify.compare.memory import compare_devices
from tfgpu.verify.gpus import choose
from tfgpu.verify.observation import Device, Observation, Session
from tfgpu.verify.programs import two_files
from tfgpu.verify.verdict import Outcome, Verdict
from tfgpu.verify.verification import Settings, verify

MIB = 1 << 20


class Tf1(NamedTuple):
    """An interpreter with TensorFlow 1.15."""

    python: str
    keras: bool


class Case(NamedTuple):
    """A program and what it shows: memory of its devices in MB, first allocations in MiB."""

    fixture: str
    devices: dict[str, tuple[int, int]]  # name: memory, place of the physical GPU
    first: dict[int, float]  # place of the physical GPU: first allocation
    argv: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    error: str = ""


def every(memory: int, count: int = 4) -> dict[str, tuple[int, int]]:
    """GPU i is physical GPU i."""
    return {f"GPU:{i}": (memory, i) for i in range(count)}


# What is alike as far as it goes: folded on the CPU, refused, or under conditions that do not hold.
UNPROVEN = {
    "cuda_two_towers": {"operations on GPUs"},
    "gpu_out_of_range": {"how it ended", "operations on GPUs"},
    "guarded": {"changed statements"},
    # Keras 2.3.1 keeps one number beside the weights; that of TensorFlow 2 keeps four more, and
    # computes its loss and metrics in another way.
    "keras_set_session": {"sums, means and the like", "variables int64[]"},
}
WHOLE = 15279  # of 16384 MB, without options
SECOND_RANK = (("HVD_STUB_LOCAL_RANK", "1"), ("HVD_STUB_SIZE", "2"))
CASES = [
    Case("cifar_four_gpus", every(WHOLE), dict.fromkeys(range(4), 15279.8)),
    Case("cuda_two_towers", every(WHOLE), {}),
    Case("cuda_visible_devices", {"GPU:0": (WHOLE, 1)}, {1: 1.0}),
    Case("device_placement", every(WHOLE), {0: 15279.8}),
    Case("fraction", every(6553), {0: 6553.6}),
    Case("gpu_out_of_range", every(WHOLE, 2), {}, error="InvalidArgumentError: Cannot assign"),
    Case("growth", every(WHOLE), {0: 1.0}),
    Case("growth_and_fraction", every(8192), {0: 1.0}),
    Case("guarded", every(WHOLE), {0: 1.0}),
    Case("guarded", every(4915), {0: 4915.2}, ("--memory", "0.3")),
    Case("guarded", {"GPU:0": (WHOLE, 1)}, {1: 1.0}, ("--gpu", "1")),
    Case("guarded", {"GPU:0": (4915, 1)}, {1: 4915.2}, ("--memory", "0.3", "--gpu", "1")),
    Case("guarded", every(WHOLE), {0: 1.0}, ("--strict",)),
    Case("helper_config", every(WHOLE), {0: 1.0}),
    Case("horovod_pinning", {"GPU:0": (WHOLE, 0)}, {0: 1.0}),
    Case("horovod_pinning", {"GPU:0": (WHOLE, 1)}, {1: 1.0}, environment=SECOND_RANK),
    Case("keras_set_session", every(WHOLE), {0: 1.0}),
    Case("self_config", every(WHOLE), {0: 1.0}),
    Case("soft_placement", every(WHOLE), {0: 15279.8}),
    Case("threads", every(WHOLE), {0: 15279.8}),
    Case("visible_devices", {"GPU:0": (WHOLE, 1)}, {1: 1.0}),
]

MISSING = """\
import tensorflow as tf
from tensorflow.contrib import layers

names = [line.strip() for line in open("data/names.txt")]
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(layers.flatten(tf.zeros([len(names), 1])))
"""


@pytest.mark.parametrize(
    ("version", "outcome"), [("1.15.5", Outcome.IGNORED), ("2.21.0", Outcome.MISMATCH)]
)
def test_views_that_xla_has_of_hidden_gpus(version: str, outcome: Outcome) -> None:
    """Those of 1.15 heed a list of visible GPUs, as tf.config sets, and not device_count."""

    def leg(*names: str) -> Observation:
        devices = [Device(name, MIB, "00") for name in names]
        session = Session("session 1", "train.py:5", "", {}, devices)
        return Observation("train.py", version, "3.7.16", False, "end", sessions=[session])

    left, right = leg("GPU:0", "XLA_GPU:0", "XLA_GPU:1"), leg("GPU:0", "XLA_GPU:0")
    found = {entry.subject: entry.outcome for entry in compare_devices(left, right)}
    assert found == {"GPU:0": Outcome.MATCH, "XLA_GPU:0": Outcome.MATCH, "XLA_GPU:1": outcome}


def unproven(verdict: Verdict) -> set[str]:
    """Return what the runs say too little about."""
    return {
        entry.subject
        for aspect in verdict.aspects
        for entry in aspect.entries
        if entry.outcome is Outcome.INCONCLUSIVE
    }


@pytest.fixture(scope="module")
def tf1() -> Tf1:
    """Find TensorFlow 1.15, and build the driver for it and for TensorFlow 2."""
    python = python_with_tensorflow1()
    find_keras = "import importlib.util as u, sys; sys.exit(u.find_spec('keras') is None)"
    keras = subprocess.run([python, "-c", find_keras], check=False).returncode == 0
    return Tf1(python, keras)


@pytest.mark.parametrize("case", CASES, ids=lambda case: "_".join([case.fixture, *case.argv]))
def test_before_and_after(case: Case, tf1: Tf1, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = (FIXTURES / case.fixture / f"{leg}.py" for leg in ("before", "after"))
    if "keras" in before.read_text() and not tf1.keras:
        pytest.skip(f"{tf1.python} has no keras: pip install keras==2.3.1")
    for name, value in case.environment:
        monkeypatch.setenv(name, value)
    settings = Settings(
        choose("sim:4x16GiB"), sys.executable, tf1.python, argv=case.argv, quick=True
    )
    verdict = verify(lambda: two_files(before, after), settings)
    assert verdict.outcome is not Outcome.MISMATCH, describe(verdict)
    assert unproven(verdict) == UNPROVEN.get(case.fixture, set()), describe(verdict)
    leg = verdict.before
    assert leg.tensorflow.startswith("1.15")
    assert not leg.stands_in
    text = f"{leg.failure.kind}: {leg.failure.message}" if leg.failure else ""
    assert text.startswith(case.error)
    created = {
        device.name: (device.limit // MIB, int(device.bus[5:7], 16) - 1)
        for device in leg.sessions[0].devices
        if device.bus
    }
    assert created == case.devices
    first = {card.gpu: round(card.calls[0][1] / MIB, 1) for card in leg.memory}
    assert first == case.first


def test_files_that_are_missing(tf1: Tf1, tmp_path: Path) -> None:
    """Python 3.7 does not tell which files it opens, so more than one replaces `open` there."""
    (tmp_path / "train.py").write_text(MISSING)
    arguments = ("--quick", "--until", "session", "--synthetic-data", "--python", tf1.python)
    done = command(tmp_path, "verify", *arguments, "train.py")
    assert done.returncode == 0, done.stderr
    assert "with synthetic data" in done.stdout


EAGER = """
import threading
import tensorflow as tf
getattr(tf, "enable_eager_execution", lambda: None)()

@tf.function
def square(x):
    return tf.matmul(x, x) + 1.0

def beside():
    with tf.device("/gpu:1"):
        tf.matmul(tf.ones([2, 2]), tf.ones([2, 2]))

thread = threading.Thread(target=beside)
thread.start()
thread.join()
weights = tf.Variable(tf.ones([2, 2]))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(square(weights))
weights.assign_sub(tape.gradient(loss, weights))
"""


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [("", "", Outcome.MATCH), ("/gpu:1", "/gpu:0", Outcome.MISMATCH)],
    ids=["same", "thread"],
)
def test_eager_code(old: str, new: str, outcome: Outcome, tf1: Tf1, tmp_path: Path) -> None:
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(EAGER)
    after.write_text(EAGER.replace(old, new, 1))
    settings = Settings(choose("sim:2x2GiB"), sys.executable, tf1.python, quick=True)
    verdict = verify(lambda: two_files(before, after), settings)
    assert verdict.outcome is outcome, describe(verdict)
    assert verdict.before.failure is None


CHECKPOINTS = """
import tensorflow as tf
tf = tf.compat.v1
tf.disable_eager_execution()
weights = tf.get_variable("w", [4, 4])
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(weights), global_step=step)
hooks = [tf.train.StopAtStepHook(last_step=3)]
given = {"checkpoint_dir": "saved", "save_checkpoint_secs": 600}
with tf.train.MonitoredTrainingSession(hooks=hooks, **given) as session:
    while not session.should_stop():
        session.run(train)
"""


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [("", "", Outcome.MATCH), (": 600", ": 900", Outcome.MISMATCH)],
    ids=["same", "seldom"],
)
def test_hooks_that_save(old: str, new: str, outcome: Outcome, tf1: Tf1, tmp_path: Path) -> None:
    """TensorFlow 2 gave this hook a setting more, and another number of its own."""
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(CHECKPOINTS)
    after.write_text(CHECKPOINTS.replace(old, new, 1))
    settings = Settings(choose("sim:1x2GiB"), sys.executable, tf1.python, quick=True)
    verdict = verify(lambda: two_files(before, after), settings)
    assert verdict.outcome is outcome, describe(verdict)


DRAWN = """
import tensorflow as tf
tf = tf.compat.v1
tf.disable_eager_execution()
with tf.device("/gpu:0"):
    drawn = tf.random_uniform([3, 3])
    product = tf.matmul(drawn, drawn)
with tf.Session() as session:
    session.run(product)
"""


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [
        ("", "", Outcome.MATCH),
        (
            "    product",
            "    drawn = tf.sin(tf.cos(tf.tan(tf.asin(tf.acos(drawn)))))\n    product",
            Outcome.MISMATCH,
        ),
        ("run(product)", "run(tf.nn.relu(product))", Outcome.INCONCLUSIVE),
        ("run(product)", "run(tf.matmul(product, product))", Outcome.INCONCLUSIVE),
    ],
    ids=["same", "more", "activation", "product"],
)
def test_small_graphs(old: str, new: str, outcome: Outcome, tf1: Tf1, tmp_path: Path) -> None:
    """TensorFlow 2 does not scale what is drawn from 0 to 1: most names are on one side only."""
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(DRAWN)
    after.write_text(DRAWN.replace(old, new, 1))
    settings = Settings(choose("sim:1x2GiB"), sys.executable, tf1.python, quick=True)
    verdict = verify(lambda: two_files(before, after), settings)
    assert verdict.outcome is outcome, describe(verdict)


GENERATED = """
import numpy as np
import tensorflow as tf
tf = tf.compat.v1
tf.disable_eager_execution()
def batches():
    while True:
        yield np.ones((4, 6)), np.ones((4, 1))
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
model.compile("sgd", "mse")
model.fit_generator(batches(), steps_per_epoch=2, epochs=2, verbose=0, shuffle=False)
"""


@pytest.mark.parametrize(
    ("old", "new", "outcome"),
    [("", "", Outcome.MATCH), ("shuffle=False", "shuffle=True", Outcome.MISMATCH)],
    ids=["same", "shuffled"],
)
def test_generators(
    old: str, new: str, outcome: Outcome, tf1: Tf1, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`fit_generator` calls `fit` in a later Keras only."""
    monkeypatch.setenv("TF_USE_LEGACY_KERAS", "1")
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(GENERATED)
    after.write_text(GENERATED.replace(old, new, 1))
    settings = Settings(choose("sim:1x2GiB"), sys.executable, tf1.python, quick=True)
    verdict = verify(lambda: two_files(before, after), settings)
    assert verdict.outcome is outcome, describe(verdict)


VISIBLE = """
import tensorflow as tf
tf = tf.compat.v1
tf.disable_eager_execution()
config = tf.ConfigProto()
config.gpu_options.visible_device_list = "0"
with tf.device("/gpu:0"):
    product = tf.matmul(tf.ones([3, 3]), tf.random_normal([3, 3]))
with tf.Session(config=config) as session:
    session.run(product)
"""


def test_visible_gpus_where_there_are_none(tf1: Tf1, tmp_path: Path) -> None:
    """TensorFlow 1.15.5 aborts there, 2.21 says that there is no such device."""
    program, evidence = tmp_path / "train.py", tmp_path / "evidence.json"
    program.write_text(VISIBLE)
    arguments = ("--gpus", "sim:1x2GiB", "--before-python", tf1.python)
    done = command(tmp_path, "verify", *arguments, "--evidence", str(evidence), program.name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "shows nothing, and need not; before: killed by signal 6" in " ".join(
        done.stdout.split()
    )
    checked = command(tmp_path, "evidence", "check", str(evidence))
    assert checked.returncode == 0, checked.stdout + checked.stderr
