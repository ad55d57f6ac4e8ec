"""The config is a default argument of main(), which chooses the GPU by an option."""
# argv: --gpu 1

import argparse
import os

import tensorflow as tf


def main(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))):
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", default="0")
    os.environ["CUDA_VISIBLE_DEVICES"] = parser.parse_args().gpu
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


if __name__ == "__main__":
    main()
