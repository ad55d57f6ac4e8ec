"""`object.__setattr__` sets what keywords name."""
# argv: --x
import sys, os, functools, contextlib
import tensorflow as tf
class T(object):
    def __init__(self, **kw):
        self.config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
        for k in kw:
            object.__setattr__(self, k, kw[k])
    def run(self):
        with tf.Session(config=self.config) as s:
            print(s.run(tf.constant(1)))
T(config=None).run()
