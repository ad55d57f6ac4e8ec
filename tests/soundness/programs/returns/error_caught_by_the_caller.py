"""An error comes between the constructor and the return, and the caller catches it."""
import sys, os, functools, contextlib
import tensorflow as tf
config = None
def conf():
    c = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
    int(sys.argv[1])
    return c
try:
    config = conf()
except Exception:
    pass
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
