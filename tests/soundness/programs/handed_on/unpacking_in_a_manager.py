"""A generator as a manager ends the error of unpacking."""
# argv: --x
import sys, os, functools, contextlib
import tensorflow as tf
@contextlib.contextmanager
def cm():
    try:
        yield
    except ValueError:
        pass
def conf():
    with cm():
        config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
        a, b = sys.argv
        return config
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
