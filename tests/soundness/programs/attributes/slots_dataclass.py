"""Objects of a dataclass with slots refuse an attribute."""

import dataclasses
import tensorflow as tf
y = tf.constant(1)
@dataclasses.dataclass(slots=True)
class A:
    lr: int = 1
    def go(self):
        self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        with tf.Session(config=self.config) as s: print(s.run(y))
A().go()
