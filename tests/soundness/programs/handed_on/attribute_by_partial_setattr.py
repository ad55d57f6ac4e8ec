"""`setattr` in a partial takes the config of an object away."""
# argv: --x
import sys, os, functools, contextlib
import tensorflow as tf
class T(object):
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
    def run(self):
        with tf.Session(config=self.config) as s:
            print(s.run(tf.constant(1)))
t = T()
functools.partial(setattr, t, 'config')(None)
t.run()
