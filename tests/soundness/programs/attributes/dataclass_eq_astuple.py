"""A dataclass compares, lists and matches its fields."""

import dataclasses
import tensorflow as tf
y = tf.constant(1)
@dataclasses.dataclass
class A:
    lr: int = 1
    config: object = None
    def go(self):
        self.config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
        with tf.Session(config=self.config) as s: print(s.run(y))
o = A()
o.go()
print(o == A(), dataclasses.asdict(o), dataclasses.astuple(o))
match o:
    case A(lr, None): print('none')
    case _: print('some')
