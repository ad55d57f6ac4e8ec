"""A config is made in an `elif` that asks whether one was given."""

import tensorflow as tf


def run(mode, config=None):
    if mode == "skip":
        print(mode)
    elif config is None:
        config = tf.ConfigProto(allow_soft_placement=True)
        with tf.Session(config=config) as sess:
            print(sess.run(tf.constant(1.0)))


if __name__ == "__main__":
    run("skip")
    run("train")
