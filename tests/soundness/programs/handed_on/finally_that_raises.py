"""A `finally` raises behind the return of a config, and a manager ends the error."""
import sys, os, functools, contextlib
import tensorflow as tf
def conf():
    with contextlib.suppress(BaseException):
        try:
            return tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
        finally:
            if len(sys.argv) == 1:
                raise ValueError
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
