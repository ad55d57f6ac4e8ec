"""TensorFlow refuses fewer virtual devices than GPUs, and the program goes on."""

import tensorflow as tf


def train():
    config = tf.ConfigProto()
    config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[100])
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))


try:
    train()
except Exception as error:
    print(type(error).__name__)
