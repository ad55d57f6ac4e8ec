"""What makes the eager context in graph mode: as TensorFlow does it, and as decisions have it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.soundness.test_windows import migrated

SCRIPT = Path(__file__).parents[1] / "verify" / "programs" / "makes_context.py"
MAKES = [
    "dense().save_weights(d + '/w')",
    "dense().save_weights(filepath=d + '/w', save_format='tf')",
    "m = dense(); m.save_weights(d + '/w'); m.load_weights(d + '/w')",
    "dense().save(d + '/w', save_format='tf')",
    "tf.keras.models.save_model(dense(), d + '/w', save_format='tf')",
    "fit(tf.keras.callbacks.ModelCheckpoint(d + '/c', save_weights_only=True))",
    "fit(keras.callbacks.ModelCheckpoint(d + '/c', 'loss', 0, False, True))",
    "keras.layers.LSTM(2)(tf.zeros([1, 2, 2]))",
    "tf.compat.v2.keras.layers.GRU(2)(tf.zeros([1, 2, 2]))",
    "keras.layers.deserialize({'class_name': 'GRU', 'config': {'units': 2}})(tf.zeros([1, 2, 2]))",
    "keras.layers.LSTM.from_config({'units': 2})(tf.zeros([1, 2, 2]))",
    "import tf_keras.src.layers.rnn.lstm as l; l.LSTM(2)(tf.zeros([1, 2, 2]))",
    "My = type('My', (keras.layers.LSTM,), {}); My(2)(tf.zeros([1, 2, 2]))",
    "keras.preprocessing.timeseries_dataset_from_array(np.zeros([4]), None, 2)",
    "keras.utils.timeseries_dataset_from_array(np.zeros([4]), None, 2)",
    "tf.data.Dataset.range(3).save(d + '/x')",
    "tf.config.experimental.reset_memory_stats('CPU:0')",
    "tf.config.experimental.get_memory_usage('CPU:0')",
    "from tensorflow.python.saved_model import save; save.save(tf.Module(), d + '/z')",
    "from tensorflow.python.ops import critical_section_ops as c; c.CriticalSection()",
    "from tensorflow.python.ops import script_ops as s; "
    "tf.Session().run(s.py_func(lambda: 1.0, [], tf.float64))",
    "from tensorflow.python.ops.script_ops import numpy_function as f; "
    "tf.Session().run(f(lambda: 1.0, [], tf.float64))",
    "tf.Session().run(getattr(tf, 'py_func')(lambda: 1.0, [], tf.float64))",
]
LEAVES = [
    "dense().save_weights(d + '/w.h5')",
    "dense().save_weights(d + '/w', save_format='h5')",
    "m = dense(); m.save_weights(d + '/w.h5'); m.load_weights(d + '/w.h5')",
    "dense().save(d + '/w.h5')",
    "fit(tf.keras.callbacks.ModelCheckpoint(d + '/c.hdf5', save_weights_only=True))",
    "fit(tf.keras.callbacks.EarlyStopping('loss'), tf.keras.callbacks.TensorBoard(d))",
    "tf.keras.layers.LSTM(2)(tf.zeros([1, 2, 2]))",
    "keras.layers.SimpleRNN(2)(tf.zeros([1, 2, 2]))",
    "keras.layers.RNN(keras.layers.LSTMCell(2))(tf.zeros([1, 2, 2]))",
    "keras.applications.imagenet_utils.preprocess_input(np.zeros([1, 4, 4, 3]))",
    "tf.train.Saver([tf.Variable(1.0)])",
    "tf.data.Dataset.range(3).batch(2)",
]


def test_tensorflow_makes_the_context_there() -> None:
    lines = [*MAKES, *LEAVES]
    ran = subprocess.run(
        [sys.executable, str(SCRIPT)],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    expected = ["True"] * len(MAKES) + ["False"] * len(LEAVES)
    assert dict(zip(lines, ran.stdout.splitlines(), strict=True)) == dict(
        zip(lines, expected, strict=True)
    )


PROGRAM = """\
import numpy as np
import tensorflow
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
keras = tensorflow.keras


def dense():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])


def fit(*callbacks):
    model = dense()
    model.compile("sgd", "mse")
    model.fit(np.zeros([4, 2]), np.zeros([4, 1]), callbacks=list(callbacks))


def work(d):
    {}


def train():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


work("folder")
train()
"""


@pytest.mark.parametrize("line", [line for line in MAKES if "type(" not in line])
def test_a_config_behind_what_makes_the_context_is_kept(tmp_path: Path, line: str) -> None:
    assert "ConfigProto(" in migrated(tmp_path, main=PROGRAM.format(line))


@pytest.mark.parametrize(
    "line",
    [
        "(keras.layers.GRU if d else keras.layers.LSTM)(2)(tf.zeros([1, 2, 2]))",
        "rnn = keras.layers.GRU if d else keras.layers.LSTM; rnn(2)(tf.zeros([1, 2, 2]))",
        "[keras.layers.Dense, keras.layers.LSTM][1](2)(tf.zeros([1, 2, 2]))",
        "apply(lambda k: k.layers.LSTM(2)(tf.zeros([1, 2, 2])), keras)",
        "apply(lambda cell: cell(2)(tf.zeros([1, 2, 2])), keras.layers.LSTM)",
        "apply(lambda f: f(dense(), d + '/m', save_format='tf'), tf.keras.models.save_model)",
        "apply(lambda t: tf.Session().run(t.py_func(lambda: 1.0, [], tf.float64)), tf)",
        "apply(lambda e: e.reset_memory_stats('GPU:0'), tf.config.experimental)",
        "save = dense().save_weights; save(d + '/w')",
        "list(map(dense().save_weights, [d + '/w']))",
        "tf.keras.Model.save_weights(dense(), d + '/w')",
        "fit(tf.keras.callbacks.ModelCheckpoint(d + '/c', **{'save_weights_only': True}))",
        "C = tf.keras.callbacks.ModelCheckpoint if d else None; C(d, save_weights_only=True)",
        "fit(Weights(d + '/c', save_weights_only=True))",
        "own = Own(2); own(tf.zeros([1, 2, 2]))",
    ],
)
def test_what_is_handed_on_makes_it_too(tmp_path: Path, line: str) -> None:
    own = (
        "class Weights(tf.keras.callbacks.ModelCheckpoint):\n    pass\n\n\n"
        "class Own(keras.layers.LSTM):\n    pass\n\n\n"
        "def apply(function, value):\n    return function(value)\n\n\ndef dense("
    )
    text = PROGRAM.format(line).replace("def dense(", own)
    assert "ConfigProto(" in migrated(tmp_path, main=text)


@pytest.mark.parametrize(
    "line",
    [
        "path = d + '/w.h5'; dense().save_weights(path)",
        "dense().save_weights(str(pathlib.Path(d) / 'w.h5'))",
        "isinstance(dense(), keras.layers.LSTM)",
        "fit(tf.keras.callbacks.ModelCheckpoint(d + '/c'))",
    ],
)
def test_a_config_behind_files_of_another_kind_converts(tmp_path: Path, line: str) -> None:
    assert "ConfigProto(" not in migrated(tmp_path, main="import pathlib\n" + PROGRAM.format(line))


@pytest.mark.parametrize("line", [line for line in LEAVES if "applications" not in line])
def test_a_config_behind_what_leaves_it_alone_converts(tmp_path: Path, line: str) -> None:
    assert "ConfigProto(" not in migrated(tmp_path, main=PROGRAM.format(line))
