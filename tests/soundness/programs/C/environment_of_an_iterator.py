"""A generator writes CUDA_VISIBLE_DEVICES each time that a loop builds a config."""

import os

import tensorflow as tf


def devices():
    for device in range(2):
        os.environ["CUDA_VISIBLE_DEVICES"] = str(device)
        yield device


waiting = devices()
for device in waiting:
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.5
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)), len(sess.list_devices()))
