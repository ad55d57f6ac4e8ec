"""What is cleaned up behind a return fails."""
import sys, os, functools, contextlib
import tensorflow as tf
def conf():
    try:
        return tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
    finally:
        os.remove('no_tmp')
config = None
try:
    config = conf()
except OSError:
    pass
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
