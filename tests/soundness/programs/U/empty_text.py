"""An empty list shows all GPUs."""
# argv: --gpu=

import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", default="0")
args = parser.parse_args()
config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list=args.gpu))
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
