"""CUDA_VISIBLE_DEVICES=1,0 from outside, and a fraction of each card."""
# variables: CUDA_VISIBLE_DEVICES=1,0

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.25))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
