"""CUDA_VISIBLE_DEVICES is written with `os.environ |= ...` between config and session."""

import os
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
os.environ |= {"CUDA_VISIBLE_DEVICES": "1"}
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)), len(sess.list_devices()))
