"""A module docstring, __future__ imports, and the import of TensorFlow inside try."""

from __future__ import annotations

try:
    import tensorflow as tf
except ImportError:
    raise SystemExit("TensorFlow is missing")

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
