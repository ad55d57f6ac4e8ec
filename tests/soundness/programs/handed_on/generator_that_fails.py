"""A generator as a manager fails behind the return of a config."""
import sys, os, functools, contextlib
import tensorflow as tf
@contextlib.contextmanager
def cm():
    yield
    a, b = sys.argv
def conf():
    with contextlib.suppress(ValueError):
        with cm():
            return tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
