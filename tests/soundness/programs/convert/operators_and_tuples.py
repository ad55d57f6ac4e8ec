"""What operators, tuples and attributes of the program's own classes hold is known."""
# expect: safe

import numpy as np
import tensorflow as tf


class Keeps:
    def __init__(self, values):
        self.values = values

    def mean(self):
        return self.values.mean()


def build(count):
    state, outputs = tf.zeros([count]), []
    for _ in range(count):
        outputs.append(tf.tanh(state))
    pixels = np.arange(count) * 0.1 + 1
    return tf.add_n(outputs), Keeps(pixels.reshape(1, count)).mean()


total, mean = build(3)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(total).shape, mean)
