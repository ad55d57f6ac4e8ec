"""A context manager of the program yields an object of a library."""

import contextlib
import pickle

import tensorflow as tf


@contextlib.contextmanager
def helper():
    yield pickle.loads(b"cforeign_tools\nHelper\n(tR.")


with helper() as found:
    found.prepare()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
