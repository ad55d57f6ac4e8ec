"""A formatter asks for an attribute."""

import string
import tensorflow as tf
y = tf.constant(1)
class K(object):
    def __init__(self):
        self.mk = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    def go(self):
        with tf.Session(config=self.mk) as s: print(s.run(y))
k = K()
k.go()
print(string.Formatter().vformat('{k.mk}', (), {'k': k}))
