"""A protocol asks whether an object has an attribute."""

import typing
import tensorflow as tf
y = tf.constant(1)
@typing.runtime_checkable
class HasConfig(typing.Protocol):
    config: object
class K(object):
    def __init__(self):
        self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    def go(self):
        with tf.Session(config=self.config) as s: print(s.run(y))
k = K()
k.go()
print(isinstance(k, HasConfig))
