"""Bytes that are no text are decoded between a config and its return."""
# argv: --x
import sys, os, functools, contextlib
import tensorflow as tf
def conf():
    config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
    s = (b'\xe9' if len(sys.argv) == 1 else b'e').decode('ascii')
    return config
config = None
with contextlib.suppress(BaseException):
    config = conf()
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
