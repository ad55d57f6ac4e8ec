"""Which config a session gets is decided in the call."""
# argv: big

import sys

import tensorflow as tf

small = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.25))
big = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.75))
with tf.Session(config=big if "big" in sys.argv else small) as sess:
    sess.run(tf.random_uniform([8]))
