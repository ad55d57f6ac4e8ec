"""A variable that is set in the other branch of an `if` does not run between."""
# expect: safe

import os
import sys

import tensorflow as tf

if "--cpu" in sys.argv:
    os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    print("cpu")
else:
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
