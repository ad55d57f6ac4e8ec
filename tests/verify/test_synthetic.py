"""`--synthetic-data`: a program whose files are missing runs on zeros, and the verdict says so."""

from __future__ import annotations

import pytest

from tests.verify.server import Server, describe
from tfgpu.verify.compare import compare
from tfgpu.verify.verdict import Outcome, Verdict

START = """
import pickle
import numpy as np
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
config = tf.ConfigProto()
config.gpu_options.allow_growth = {growth}
"""
MODEL = """
with tf.device("{device}"):
    result = tf.matmul(data, tf.ones([4, 4]))
session = tf.Session(config=config)
"""
PLACEHOLDER = "data = tf.placeholder(tf.float32, [None, 4], 'data')\n"
DATASET = """
def parse(text):
    found = tf.io.parse_single_example(text, {{"x": tf.FixedLenFeature([4], tf.float32)}})
    return found["x"]
files = ["/no/such/file.tfrecord"]
dataset = tf.data.TFRecordDataset(files).map(parse).batch(8).repeat()
data = dataset.make_one_shot_iterator().get_next()
"""
PROGRAMS = {
    "a pickle": PLACEHOLDER + MODEL
    + "with open('/no/such/data.pkl', 'rb') as file:\n    rows, labels = pickle.load(file)\n"
    + "session.run(result, {{data: rows[:32] / 255.0}})\n",
    "an array": PLACEHOLDER + MODEL
    + "rows = np.load('/no/such/data.npy')\nsession.run(result, {{data: rows}})\n",
    "nothing fed": PLACEHOLDER + MODEL + "session.run(result)\n",
    "a dataset": DATASET + MODEL + "session.run(result)\n",
    "an array of stand-ins": PLACEHOLDER + MODEL
    + "rows = [float for float in open('/no/such/rows')]\n"
    + "session.run(result, {{data: np.concatenate([np.array(rows), np.array(rows)])}})\n",
    "a checkpoint": PLACEHOLDER + MODEL
    + "weights = tf.get_variable('weights', [4], use_resource=True)\n"
    + "tf.train.Saver().restore(session, '/no/such/model.ckpt')\n"
    + "session.run(weights)\nsession.run(result, {{data: np.ones([2, 4])}})\n",
}  # fmt: skip
TOLD = {
    "a pickle": ["data:0: float32[1, 4]", "file /no/such/data.pkl"],
    "an array": ["data:0: float32[1, 4]", "file /no/such/data.npy"],
    "nothing fed": ["data:0: float32[1, 4]"],
    "a dataset": ["dataset: float32[1, 4]"],
    "an array of stand-ins": ["data:0: float32[1, 4]", "file /no/such/rows"],
    "a checkpoint": ["checkpoint /no/such/model.ckpt"],
}


def program(name: str, growth: object = True, device: str = "/gpu:0") -> str:
    """Return the text of a program."""
    return (START + PROGRAMS[name]).format(growth=growth, device=device)


def verdict(server: Server, before: str, after: str) -> Verdict:
    first, second = (server.leg(one, "sim:2", False, synthetic=True) for one in (before, after))
    return Verdict("sim:2", True, first, second, compare(first, second, simulated=True))


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_runs_and_says_on_what(server: Server, name: str) -> None:
    found = verdict(server, program(name), program(name))
    assert found.outcome is Outcome.MATCH, describe(found)
    assert found.before.synthetic == TOLD[name]


@pytest.mark.parametrize("name", ["a pickle", "a dataset"])
@pytest.mark.parametrize("wrong", [{"growth": False}, {"device": "/gpu:1"}])
def test_a_wrong_migration_is_caught(server: Server, name: str, wrong: dict[str, object]) -> None:
    found = verdict(server, program(name), program(name, **wrong))  # type: ignore[arg-type]
    assert found.outcome is Outcome.MISMATCH, describe(found)


def test_a_setting_from_a_missing_file(server: Server) -> None:
    right = program("an array", "bool(pickle.load(open('/no/such/settings', 'rb')))")
    found = verdict(server, right, program("an array", growth=False))
    assert found.outcome in (Outcome.MISMATCH, Outcome.INCONCLUSIVE), describe(found)


def test_without_it_nothing_is_made(server: Server) -> None:
    leg = server.leg(program("an array"), "sim:2", False)
    assert leg.failure is not None
    assert leg.failure.kind == "FileNotFoundError"
    assert not leg.synthetic
