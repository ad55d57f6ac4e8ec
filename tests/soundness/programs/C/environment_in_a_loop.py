"""A loop writes CUDA_VISIBLE_DEVICES and builds a config each time; the session comes behind it."""

import os

import tensorflow as tf

for device in range(2):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(device)
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.5
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)), len(sess.list_devices()))
