"""What stands between a config and its session fails; a later call gives that none."""

import tensorflow as tf


def train(mode):
    config = None
    if mode:
        config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    int("many" if mode > 1 else "1")
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0) + 1.0))


for mode in (2, 0):
    try:
        train(mode)
    except ValueError:
        print("no number")
