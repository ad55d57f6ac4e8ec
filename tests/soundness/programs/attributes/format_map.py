"""A mapping fills a format that asks for an attribute."""

import tensorflow as tf
y = tf.constant(1)
class A(object):
    def __init__(self):
        self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    def go(self):
        with tf.Session(config=self.config) as s: print(s.run(y))
o = A()
o.go()
print('{o.config}'.format_map({'o': o}))
