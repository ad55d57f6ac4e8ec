"""A library that makes TensorFlow 2's eager context when it is imported."""

import tensorflow.compat.v1 as tf  # type: ignore[import-untyped]

tf.data.Dataset.range(2).map(lambda x: x)
