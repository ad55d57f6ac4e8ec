"""The GPU is chosen first, then the config is built: nothing runs between them."""
# argv: 1
# expect: safe

import os
import sys

import tensorflow as tf


def main():
    os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


if __name__ == "__main__":
    main()
