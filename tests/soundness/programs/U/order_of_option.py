"""argparse gives the order."""
# argv: --gpu 1,0

import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", default="0")
args = parser.parse_args()
config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list=args.gpu))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
