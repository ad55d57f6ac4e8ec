"""A format that is put together asks for an attribute."""

import tensorflow as tf
y = tf.constant(1)
class K(object):
    def __init__(self):
        self.mk = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    def go(self):
        with tf.Session(config=self.mk) as s: print(s.run(y))
k = K()
k.go()
T = 'mk'
print(('{0.' + T + '}').format(k))
print(('{0.%s}' % 'mk').format(k))
