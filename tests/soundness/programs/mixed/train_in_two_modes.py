"""tf.app.run with a mode: train grows, eval has no GPU, infer has no config."""
# argv: eval

import sys

import tensorflow as tf


def train():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf.Session(config=config)


def evaluate():
    return tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))


def infer():
    return tf.Session()


MODES = {"train": train, "eval": evaluate, "infer": infer}


def main(argv):
    with MODES[argv[1]]() as sess:
        sess.run(tf.random_uniform([8]))
        print(len(sess.list_devices()))
    with MODES["infer"]() as sess:
        print(len(sess.list_devices()))


main(sys.argv)
