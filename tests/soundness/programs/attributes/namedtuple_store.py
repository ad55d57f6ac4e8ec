"""Named tuples refuse an attribute."""

import typing
import tensorflow as tf
y = tf.constant(1)
class A(typing.NamedTuple):
    lr: int = 1
    def go(self):
        self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        with tf.Session(config=self.config) as s: print(s.run(y))
try: A().go()
except AttributeError as e: print('failed')
