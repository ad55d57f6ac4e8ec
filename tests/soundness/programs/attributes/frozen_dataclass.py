"""Objects of a frozen dataclass refuse an attribute."""

import tensorflow as tf
import dataclasses
y = tf.constant(1)
@dataclasses.dataclass(frozen=True)
class M:
    lr: int = 1
    def go(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        with tf.Session(config=self.config) as s: print(s.run(y))
try: M().go()
except Exception as e: print(type(e))
