"""A version class decides."""
# tensorflow: 2

import tensorflow as tf


class LooseVersion(tuple):
    def __new__(cls, text):
        return super().__new__(cls, [int(part) for part in text.split(".")[:2]])


if LooseVersion(tf.__version__) < LooseVersion("2.0"):
    config = tf.ConfigProto(allow_soft_placement=True)
    sess = tf.Session(config=config)
    print(sess.run(tf.constant(3.0)))
else:
    print(tf.constant(3.0).numpy())
