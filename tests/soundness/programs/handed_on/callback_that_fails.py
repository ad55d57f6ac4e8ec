"""A callback of an ExitStack fails behind the return of a config."""
import sys, os, functools, contextlib
import tensorflow as tf
def conf():
    with contextlib.suppress(ZeroDivisionError):
        with contextlib.ExitStack() as st:
            st.callback(lambda: 1 // (len(sys.argv) - 1))
            return tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
