"""Calls of TensorFlow and Keras that make no eager context.

Texts, configs, graphs, settings, flags, logging, types and shapes, messages and their files (run by
programs/convert/quiet_calls.py). They are sets, as an expression of them takes 4 ms to compile.
"""

from __future__ import annotations

# These, and nothing that they have.
_EXACT = frozenset(
    [
        "tf.Session", "tf.InteractiveSession", "tf.Graph", "tf.reset_default_graph",
        "tf.get_default_graph", "tf.executing_eagerly", "tf.test.main", "tf.IndexedSlicesSpec",
        "tf.Dimension", "tf.as_dtype", "tf.dtypes.as_dtype", "tf.is_tensor", "tf.name_scope",
        "tf.dimension_value", "tf.compat.dimension_value", "tf.compat.v1.dimension_value",
        "tf.compat.path_to_str", "tf.compat.forward_compatible", "tf.nest.flatten",
        "tf.nest.pack_sequence_as", "tf.nest.assert_same_structure", "tf.nest.is_nested",
        "tf.FixedLenFeature", "tf.FixedLenSequenceFeature", "tf.VarLenFeature",
        "tf.io.FixedLenFeature", "tf.io.FixedLenSequenceFeature", "tf.io.VarLenFeature",
        "tf.io.TFRecordWriter", "tf.io.TFRecordOptions", "tf.io.tf_record_iterator",
        "tf.python_io.TFRecordWriter", "tf.python_io.TFRecordOptions",
        "tf.python_io.tf_record_iterator", "tf.random.set_seed", "tf.set_random_seed",
        "tf.function", "keras.backend.set_session", "keras.backend.clear_session",
        "keras.backend.get_session", "keras.backend.set_image_data_format",
        "keras.backend.image_data_format", "keras.backend.set_floatx", "keras.backend.floatx",
        "keras.backend.set_epsilon", "keras.backend.epsilon", "keras.backend.backend",
        "keras.backend.set_learning_phase", "keras.utils.set_random_seed",
        "keras.utils.to_categorical", "keras.utils.normalize", "keras.utils.get_file",
        "keras.utils.np_utils.set_random_seed", "keras.utils.np_utils.to_categorical",
        "keras.utils.np_utils.normalize", "keras.utils.np_utils.get_file",
    ]
)  # fmt: skip
# These, and what they have.
_WHOLE = frozenset(
    [
        "tf.app", "tf.flags", "tf.logging", "tf.compat.v1.logging", "tf.TensorSpec",
        "tf.RaggedTensorSpec", "tf.SparseTensorSpec", "tf.TensorShape", "tf.DeviceSpec",
        "tf.GraphDef", "tf.MetaGraphDef", "tf.NodeDef", "tf.AttrValue", "tf.RunOptions",
        "tf.RunMetadata", "tf.Summary", "tf.train.latest_checkpoint", "tf.train.ClusterSpec",
        "tf.train.Coordinator", "tf.train.Feature", "tf.train.Features", "tf.train.FeatureList",
        "tf.train.FeatureLists", "tf.train.Example", "tf.train.SequenceExample",
        "tf.train.BytesList", "tf.train.FloatList", "tf.train.Int64List",
    ]
)  # fmt: skip
# What these have; they may be handed on, to be asked for anything.
_MODULES = (
    "tf.__version__",
    "tf.VERSION",
    "tf.errors",
    "tf.sysconfig",
    "tf.version",
    "tf.gfile",
    "tf.io.gfile",
    "keras.callbacks",
    "keras.datasets",
)
_PARTS = tuple(f"{name}." for name in (*_WHOLE, *_MODULES))
# What begins so.
_BEGINNINGS = (
    "tf.compat.as_",
    "tf.get_logger",
    "tf.autograph.set_verbosity",
    "tf.ConfigProto",
    "tf.GPUOptions",
    "tf.GraphOptions",
    "tf.OptimizerOptions",
    "tf.RewriterConfig",
    "tf.ClusterDef",
    "tf.disable_",
    "tf.enable_",
    "tf.test.is_built_with_",
)


def is_quiet_call(name: str) -> bool:
    """Tell whether a call of a function or class of TensorFlow or Keras makes no eager context."""
    return (
        name in _EXACT
        or name in _WHOLE
        or name.startswith(_PARTS)
        or name.startswith(_BEGINNINGS)
        or (name.startswith("tf.config.") and "logical" not in name)
        or (name.startswith("keras.preprocessing.") and "dataset" not in name)
    )
