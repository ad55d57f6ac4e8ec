"""What makes the eager context in graph programs, in many spellings: by decisions alone.

The settings must come in front of it, or the config be kept: behind it tf.config raises.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soundness.test_windows import migrated

DATA = "ds = tf.data.Dataset.range(3)\n"
PROGRAM = """\
import tensorflow as tf
{}
config = tf.ConfigProto(device_count={{"GPU": 0}}, intra_op_parallelism_threads=3)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
"""


def is_in_front(text: str, start: str) -> bool:
    """Tell whether new text keeps the config, or has its settings in front of some other text."""
    place = text.find("tf.config.")
    return "ConfigProto(" in text or 0 <= place < text.index(start)


@pytest.mark.parametrize(
    "start",
    [
        "ds.reduce(0, lambda a, b: a)",
        "ds.take_while(lambda x: True)",
        "import tensorflow_datasets as tfds\nds = tfds.load('mnist')",
        "import tensorflow_datasets as tfds\nds = tfds.builder('mnist').as_dataset()",
        "import tensorflow_hub as hub\nlayer = hub.KerasLayer('x')",
        "ds.padded_batch(2, []).unbatch()",
        "ds.snapshot('x')",
        "ds.rejection_resample(f, [1.0])",
        "tf.data.Dataset.map(ds, lambda x: x)",
        "m = ds.map; m(lambda x: x)",
        "list(map(ds.map, [lambda x: x]))",
        "ds.apply(tf.data.experimental.map_and_batch(f, 2))",
        "ds.apply(tf.data.experimental.group_by_window(f, f, 2))",
        "ds.apply(tf.data.experimental.bucket_by_sequence_length(f, [2], [1, 1]))",
        "tf.data.experimental.parallel_interleave(f)(ds)",
        "tf.data.experimental.make_csv_dataset('x', 2)",
        "tf.data.experimental.make_batched_features_dataset('x', 2, {})",
        "tf.data.experimental.sample_from_datasets([ds, ds])",
        "ds.apply(tf.data.experimental.copy_to_device('/cpu:0'))",
        "ds.apply(tf.data.experimental.prefetch_to_device('/cpu:0'))",
        "ds.apply(tf.data.experimental.unbatch())",
        "tf.data.experimental.Counter()",
        "tf.data.experimental.a_name_of_tomorrow(ds)",
        "tf.wrap_function(f, [])",
        "w = tf.wrap_function; w(f, [])",
        "tf.CriticalSection()",
        "tf.switch_case(tf.constant(0), [lambda: 1])",
        "tf.enable_control_flow_v2(); tf.cond(True, f, f)",
        "tf.nondifferentiable_batch_function(1, 1, 1)(lambda x: x)",
        "tf.image.non_max_suppression_padded(b, s, 1, pad_to_max_output_size=True)",
        "from tensorflow.python.ops import cond_v2; cond_v2.cond_v2(True, f, f)",
        "from tensorflow.data import Dataset as D; D.range(3).reduce(0, f)",
    ],
)
def test_settings_are_in_front_of_the_eager_context(tmp_path: Path, start: str) -> None:
    text = migrated(tmp_path, main=PROGRAM.format(f"{DATA}{start}"))
    assert is_in_front(text, start.rpartition("; ")[2]), text


@pytest.mark.parametrize(
    "start",
    [
        "class A:\n    def map(self, f): return tf.data.Dataset.map(ds, f)\nA().map(1)",
        "def g(d): return d.reduce(0, lambda a, b: a)\ng(ds)",
    ],
)
def test_settings_are_in_front_of_calls_of_what_makes_it(tmp_path: Path, start: str) -> None:
    text = migrated(tmp_path, main=PROGRAM.format(f"{DATA}{start}"))
    assert is_in_front(text, start.rpartition("\n")[2]), text


@pytest.mark.parametrize(
    "quiet",
    [
        "it = ds.batch(2).repeat().shuffle(3).prefetch(1).make_initializable_iterator()",
        "it = tf.data.Iterator.from_structure(tf.int64, [])",
        "ds.apply(tf.data.experimental.shuffle_and_repeat(3))",
        "tf.data.Dataset.zip((ds, ds)).padded_batch(2, ([], []))",
        "isinstance(ds, tf.data.Dataset)",
        "tf.map_fn(lambda x: x, tf.ones([3]))",
        "tf.cond(tf.constant(True), lambda: 1, lambda: 2)",
    ],
)
def test_what_leaves_the_eager_context_alone_moves_nothing(tmp_path: Path, quiet: str) -> None:
    text = migrated(tmp_path, main=PROGRAM.format(f"{DATA}{quiet}"))
    assert "ConfigProto(" not in text
    assert not is_in_front(text, quiet), text


EAGER = """\
import tensorflow as tf
with tf.Graph().as_default():
    config = tf.compat.v1.ConfigProto({})
    with tf.compat.v1.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))
print(tf.constant([1.0]).numpy())
"""


@pytest.mark.parametrize(
    ("field", "back"),
    [
        ("allow_soft_placement=False", "tf.config.set_soft_device_placement(None)"),
        ("log_device_placement=True", "tf.debugging.set_log_device_placement(False)"),
    ],
)
def test_eager_code_behind_a_session_has_its_defaults(
    tmp_path: Path, field: str, back: str
) -> None:
    text = migrated(tmp_path, main=EAGER.format(field))
    session = text.index("Session(")
    assert "ConfigProto(" in text or session < text.find(back) < text.index("sess.run"), text


def test_what_eager_code_has_anyway_is_not_put_back(tmp_path: Path) -> None:
    text = migrated(tmp_path, main=EAGER.format("allow_soft_placement=True"))
    assert "ConfigProto(" not in text
    assert "(None)" not in text


BEHIND = """\
import tensorflow as tf
{}
config = tf.compat.v1.ConfigProto(allow_soft_placement=True, intra_op_parallelism_threads=3)
graph = tf.Graph()
with graph.as_default():
    one = tf.constant(1)
with tf.compat.v1.Session(graph=graph, config=config) as sess:
    print(sess.run(one))
"""


@pytest.mark.parametrize(
    ("call", "converts"),
    [
        ("tf.TensorSpec([1])", True),
        ("tf.TensorShape([1]).as_list()", True),
        ("tf.type_spec_from_value(3)", False),
        ("tf.convert_to_tensor(3)", False),
        ("tf.device('/cpu:0')", False),
        ("tf.io.decode_raw(b'a', tf.uint8)", False),
        ("tf.nest.map_structure(tf.constant, [1])", False),
        ("tf.train.Checkpoint(a=tf.Module())", False),
        ("tf.summary.create_file_writer('x')", False),
        ("tf.Variable(1)", False),
    ],
)
def test_what_makes_the_eager_context_in_eager_code(
    tmp_path: Path, call: str, converts: bool
) -> None:
    text = migrated(tmp_path, main=BEHIND.format(call))
    assert ("ConfigProto(" not in text) is converts, text
