"""A `finally` breaks out of the loop, and drops the config that is returned."""
import sys, os, functools, contextlib
import tensorflow as tf
def conf():
    for i in range(1):
        try:
            return tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
        finally:
            break
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
