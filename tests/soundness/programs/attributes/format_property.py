"""A format asks for a property."""

import tensorflow as tf
y = tf.constant(1)
class A(object):
    @property
    def config(self):
        c = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        return c
    def go(self):
        with tf.Session(config=self.config) as s: print(s.run(y))
o = A()
o.go()
print('{o.config}'.format(o=o))
