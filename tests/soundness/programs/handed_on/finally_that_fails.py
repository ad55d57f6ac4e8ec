"""A `finally` fails behind the return of a config, and a handler catches the error."""
import sys, os, functools, contextlib
import tensorflow as tf
def conf():
    with contextlib.suppress(BaseException):
        try:
            return tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
        finally:
            os.remove('no') if len(sys.argv) == 1 else 1
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
