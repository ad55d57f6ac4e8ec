import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--fraction", type=float, default=0.5)
args = parser.parse_args()
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=args.fraction))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
