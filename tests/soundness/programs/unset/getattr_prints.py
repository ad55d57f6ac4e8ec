"""`__getattr__` is called for an attribute that was not set."""
import sys
import tensorflow as tf
y = tf.constant(1)
class M(object):
    def __init__(self):
        if len(sys.argv) > 1: self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    def __getattr__(self, name):
        print('no', name)
        return None
    def go(self):
        with tf.Session(config=self.config) as s: print(s.run(y))
M().go()
