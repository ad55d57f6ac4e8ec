"""A context manager sets the variable around the session."""

import contextlib
import os

import tensorflow as tf


@contextlib.contextmanager
def on_gpu(number):
    before = os.environ.get("CUDA_VISIBLE_DEVICES")
    os.environ["CUDA_VISIBLE_DEVICES"] = str(number)
    yield
    if before is None:
        del os.environ["CUDA_VISIBLE_DEVICES"]


config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with on_gpu(1):
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
