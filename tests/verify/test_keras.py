"""Which Keras each side of a verification runs on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.verify.server import libraries_or_skip
from tests.verify.test_command import verify
from tfgpu.verify.recorder.leg import gone

BEFORE = """
import tensorflow as tf
from keras import backend as K
with tf.device("/gpu:0"):
    product = tf.matmul(tf.random_normal([8, 8]), tf.random_normal([8, 8]))
K.set_session(tf.Session())
K.get_session().run(product)
print(tf.keras.layers.Dense.__module__.split(".")[0])
"""
SESSION = """
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
from keras import backend as K
with tf.device("/gpu:0"):
    product = tf.matmul(tf.random_normal([8, 8]), tf.random_normal([8, 8]))
tf.keras.backend.set_session(tf.Session())
tf.keras.backend.get_session().run(product)
print(tf.keras.layers.Dense.__module__.split(".")[0])
"""
EAGER = """
import tensorflow as tf
import keras
with tf.device("/gpu:0"):
    product = tf.matmul(tf.random.normal([8, 8]), tf.random.normal([8, 8]))
print(tf.keras.layers.Dense.__module__.split(".")[0])
assert keras.layers.Dense is tf.keras.layers.Dense
"""
# Only the settings are new: its code with Keras is that of the program before.
SETTINGS = """
import tensorflow as tf
from keras import backend as K
with tf.device("/gpu:0"):
    product = tf.matmul(tf.random.normal([8, 8]), tf.random.normal([8, 8]))
print(tf.keras.layers.Dense.__module__.split(".")[0])
"""


@pytest.mark.parametrize(
    ("after", "package", "words"),
    [
        (SESSION, "tf_keras", "both legs ran on tf_keras"),
        (SETTINGS, "tf_keras", "both legs ran on tf_keras"),
        (EAGER, "keras", "its Keras, if it uses one, was that of TensorFlow"),
    ],
    ids=["session", "settings", "eager"],
)
def test_each_side_has_its_own_keras(
    tmp_path: Path, after: str, package: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries_or_skip()
    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)
    (tmp_path / "before.py").write_text(BEFORE)
    (tmp_path / "after.py").write_text(after)
    report = json.loads(verify(tmp_path, "before.py", "after.py", "--format", "json").stdout)
    printed = [report[side]["stdout"].strip() for side in ("before", "after")]
    assert printed == ["tf_keras", package], report
    assert any(words in note for note in report["notes"]), report["notes"]


TRAINED = """
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers

{before}
config = tf.ConfigProto()
config.gpu_options.{setting}
K.set_session(tf.Session(config=config))
{after}
model.compile("sgd", "mse")
model.fit(np.zeros((4, 3)), np.zeros((4, 2)), verbose=0)
"""
MODEL = "model = tf.keras.Sequential([layers.Dense(2, input_shape=(3,))])"


GROWTH = "allow_growth = True"


@pytest.mark.parametrize(
    ("before", "after", "setting"),
    [(MODEL, "", GROWTH), ("", MODEL, GROWTH), ("", MODEL, 'visible_device_list = "1"')],
    ids=["model-first", "session-first", "visible"],
)
def test_a_model_trains_eagerly_with_the_settings_of_its_session(
    tmp_path: Path, before: str, after: str, setting: str
) -> None:
    """Soft placement is on in eager code: no operation of a session that ran needed it."""
    libraries_or_skip()
    text = TRAINED.format(before=before, after=after, setting=setting)
    (tmp_path / "train.py").write_text(text)
    report = json.loads(verify(tmp_path, "train.py", "--quick", "--format", "json").stdout)
    assert report["outcome"] == "match", report
    entries = [item for aspect in report["aspects"] for item in aspect["entries"]]
    soft = [item for item in entries if item["subject"] == "allow_soft_placement"]
    assert [item["outcome"] for item in soft] == ["ignored"], report


COMPAT = """
import numpy as np
import tensorflow as tf
{}
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])
model.compile("sgd", "mse")
model.fit(np.zeros((4, 3), "float32"), np.zeros((4, 2), "float32"), verbose=0)
"""
GROWING = """
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
"""
SET_SESSION = """
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
{}(tf.compat.v1.Session(config=config))
"""
SPELLED = [
    "from tensorflow.compat.v1.keras.backend import set_session\n"
    + SET_SESSION.format("set_session"),
    "import tensorflow.compat.v1.keras.backend as K\n" + SET_SESSION.format("K.set_session"),
    SET_SESSION.format("tf.compat.v1.keras.backend.set_session"),
]


@pytest.mark.parametrize("sets", SPELLED, ids=["function", "module", "attribute"])
def test_sessions_of_keras_that_version_2_has_in_its_compat(
    tmp_path: Path, sets: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries_or_skip()
    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)
    (tmp_path / "before.py").write_text(COMPAT.format(sets))
    (tmp_path / "after.py").write_text(COMPAT.format(GROWING))
    found = verify(tmp_path, "before.py", "after.py", "--quick").stdout
    assert found.startswith("match"), found
    assert "both legs ran on tf_keras" in " ".join(found.split())


@pytest.mark.parametrize(
    ("used", "outcome", "soft"),
    [
        ("", "match", ["ignored"]),
        ("tf.config.set_soft_device_placement(True)", "mismatch", ["mismatch"]),
        (
            "with session.graph.as_default():\n    session.run(tf.constant(1.0) + 1.0)",
            "mismatch", ["mismatch"],
        ),
    ],
    ids=["idle", "set", "used"],
)  # fmt: skip
def test_a_session_of_eager_code_places_what_runs_in_it(
    tmp_path: Path, used: str, outcome: str, soft: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries_or_skip()
    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)
    given = "session = {}\ntf.compat.v1.keras.backend.set_session(session)\n" + used
    config = "config = tf.compat.v1.ConfigProto()\nconfig.gpu_options.allow_growth = True\n"
    mine = config + given.format("tf.compat.v1.Session(config=config)")
    theirs = GROWING + given.format("tf.compat.v1.Session()")
    (tmp_path / "before.py").write_text(COMPAT.format(mine))
    (tmp_path / "after.py").write_text(COMPAT.format(theirs))
    options = ("--quick", "--format", "json")
    report = json.loads(verify(tmp_path, "before.py", "after.py", *options).stdout)
    assert report["outcome"] == outcome, report
    entries = [item for aspect in report["aspects"] for item in aspect["entries"]]
    found = [
        item["outcome"]
        for item in entries
        if item["subject"] == "allow_soft_placement" and item["graph"] == "session 1"
    ]
    assert found == soft, entries


@pytest.mark.parametrize(
    "error",
    [
        ModuleNotFoundError("No module named 'tensorflow.compat.v1.keras'"),
        AttributeError("module 'keras._tf_keras.keras.backend' has no attribute 'set_session'"),
        AttributeError("`dense` is not available with Keras 3."),
    ],
)
def test_what_keras_3_has_not_is_said_with_what_to_do(error: Exception) -> None:
    assert "TF_USE_LEGACY_KERAS=1" in gone(error, stands_in=False, version1=True)
    assert gone(error, stands_in=False, version1=False) == ""
    assert gone(AttributeError("'int' has no attribute 'x'"), False, True) == ""
