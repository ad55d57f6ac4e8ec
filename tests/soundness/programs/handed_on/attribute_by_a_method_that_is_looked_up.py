"""A method of another class is looked up by its name, and takes the config of an object away."""
# argv: --x
import sys, os, functools, contextlib
import tensorflow as tf
class T(object):
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
    def run(self):
        with tf.Session(config=self.config) as s:
            print(s.run(tf.constant(1)))
class U(object):
    def setup(self):
        self.config = None
t = T()
getattr(U, 'setup')(t)
t.run()
