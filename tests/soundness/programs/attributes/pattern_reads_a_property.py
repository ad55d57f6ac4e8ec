"""A pattern reads a property."""

import tensorflow as tf

class A(object):
    @property
    def config(self):
        c = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        return c
    def go(self):
        with tf.Session(config=self.config) as s: print(s.run(tf.constant(1)))
o = A()
o.go()
match o:
    case A(config=c): print(type(c).__name__)
