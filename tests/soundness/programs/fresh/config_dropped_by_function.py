"""A function puts None in the place of a config of the module, or of the function around it."""

import tensorflow as tf


def main():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))

    def drop():
        nonlocal config
        config = None

    drop()
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


main()
