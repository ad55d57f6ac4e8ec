"""What is certainly a bool raises nothing that a caller could catch."""
# expect: safe
import os

import tensorflow as tf


def build(growth):
    config = tf.ConfigProto(allow_soft_placement="SOFT" in os.environ)
    config.gpu_options.allow_growth = growth
    return config


def main():
    with tf.Session(config=build(True)) as sess:
        print(sess.run(tf.constant(1)))


try:
    main()
except Exception as error:
    print(type(error).__name__)
