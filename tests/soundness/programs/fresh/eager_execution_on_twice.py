"""A function turns eager execution on twice: the second config is dropped."""

import tensorflow as tf


def setup(growth):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = growth
    tf.enable_eager_execution(config=config)


setup(True)
setup(False)
print(tf.constant(1.0) + 1)
