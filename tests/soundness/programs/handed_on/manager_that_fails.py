"""A manager fails when it is left by the return of a config."""
import sys, os, functools, contextlib
import tensorflow as tf
class E(object):
    def __enter__(self):
        pass
    def __exit__(self, *a):
        a, b = sys.argv
def conf():
    with contextlib.suppress(ValueError):
        with E():
            return tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
