"""A list of GPUs that may be refused, where a run need not make a session; this one does."""
# expect: assumption

import os
import sys

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.visible_device_list = str(os.environ.get("RANK", "1"))
if len(sys.argv) < 2:
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
