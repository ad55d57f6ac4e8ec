"""CUDA_VISIBLE_DEVICES=1 from outside, and list "0": the second card."""
# variables: CUDA_VISIBLE_DEVICES=1

import tensorflow as tf

options = tf.GPUOptions(visible_device_list="0", per_process_gpu_memory_fraction=0.5)
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
    sess.run(tf.random_uniform([8]))
