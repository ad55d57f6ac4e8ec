"""A dataclass prints its fields."""

import tensorflow as tf
import dataclasses
y = tf.constant(1)
@dataclasses.dataclass
class M:
    lr: int = 1
    config: object = None
    def go(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        with tf.Session(config=self.config) as s: print(s.run(y))
m = M(); m.go(); print(m)
