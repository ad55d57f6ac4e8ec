"""Unpacking fails between a config and its return, with a `finally`."""
# argv: --x
import sys, os, functools, contextlib
import tensorflow as tf
def conf():
    for i in [0]:
        try:
            config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
            k, v = ('a=b' if len(sys.argv) > 1 else 'a').split('=')
            return config
        finally:
            break
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
