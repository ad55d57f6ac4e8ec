"""A return in the else part of a try, of which the `finally` jumps."""
import sys, os, functools, contextlib
import tensorflow as tf
def conf():
    for i in [0]:
        try:
            pass
        except ValueError:
            pass
        else:
            return tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
        finally:
            break
with tf.Session(config=conf()) as sess:
    print(sess.run(tf.constant(1)))
