"""A dataclass without such a field takes any attribute."""
# expect: safe

import dataclasses

import tensorflow as tf

@dataclasses.dataclass
class M:
    lr: int = 1
    def go(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        with tf.Session(config=self.config) as s: print(s.run(tf.constant(1)), self.lr)
m = M()
m.go()
print(m)
