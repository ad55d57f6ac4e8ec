"""A metaclass gives None for an attribute of its class that was not set."""
import sys
import tensorflow as tf
y = tf.constant(1)
class Mt(type):
    def __getattr__(cls, n): return None
class M(object, metaclass=Mt):
    @classmethod
    def setup(cls): cls.config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list='1'))
    @classmethod
    def go(cls):
        with tf.Session(config=cls.config) as s: print(s.run(y))
if len(sys.argv) > 1: M.setup()
M.go()
