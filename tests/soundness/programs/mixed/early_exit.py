"""A check exits before the session is made, with a status of its own."""
# argv: --dry

import sys

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
if "--dry" in sys.argv:
    print("dry run")
    sys.exit(0)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
