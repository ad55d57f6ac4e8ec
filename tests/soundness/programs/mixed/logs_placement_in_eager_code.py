"""Placement is logged for one session of a program that runs eagerly, and not for eager code."""
# tensorflow: 2

import tensorflow as tf
import tensorflow.compat.v1 as tf1

config = tf1.ConfigProto()
config.log_device_placement = True


def main():
    with tf1.Graph().as_default() as graph:
        with tf1.Session(graph=graph, config=config) as sess:
            print(sess.run(tf1.constant(1.0) + 2.0))
    print((tf.constant(1.0) + 1).numpy())


main()
