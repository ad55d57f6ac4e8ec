"""A namespace prints its attributes."""

import types
import tensorflow as tf
y = tf.constant(1)
class A(types.SimpleNamespace):
    def __init__(self):
        self.lr = 1
        self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    def go(self):
        with tf.Session(config=self.config) as s: print(s.run(y))
o = A()
o.go()
print(o)
