"""A variable of the environment is no bool: protobuf refuses it, and a caller goes on."""
import os

import tensorflow as tf


def main():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = os.environ.get("GROWTH")
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


try:
    main()
except Exception as error:
    print(type(error).__name__)
