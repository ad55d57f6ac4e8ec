"""A variable of the function that is set later has no value before the session, which is caught."""

import tensorflow as tf


def make():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    scale = rate
    rate = scale
    return tf.Session(config=config)


try:
    make()
except NameError:
    print("no rate")
print(tf.Session().run(tf.constant(2)))
