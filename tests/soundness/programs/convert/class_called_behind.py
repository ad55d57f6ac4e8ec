"""Python calls `__getitem__` and generators at any time, but not before their `def`: behind the session."""
# expect: safe

import tensorflow as tf

tf.compat.v1.disable_v2_behavior()
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
session = tf.compat.v1.Session(config=config)


class Lines:
    def __getitem__(self, name):
        return tf.data.TextLineDataset([name])


def files():
    yield tf.data.TFRecordDataset(["a"])


print(type(Lines()["a"]).__name__, len(list(files())), session.run(tf.constant(1)))
