"""`object.__setattr__` sets what the caller names."""
# argv: --x
import sys, os, functools, contextlib
import tensorflow as tf
class T(object):
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
    def override(self, name, value):
        object.__setattr__(self, name, value)
    def run(self):
        with tf.Session(config=self.config) as s:
            print(s.run(tf.constant(1)))
t = T()
if len(sys.argv) > 1:
    t.override('config', None)
t.run()
