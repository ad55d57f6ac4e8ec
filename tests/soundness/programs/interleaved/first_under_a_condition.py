"""Of two sessions of a config the first is made in some runs only, and one of another is between."""
# variables: FLAG=

import os

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
if os.environ.get("FLAG"):
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))
with tf.Session(config=tf.ConfigProto(allow_soft_placement=False)) as sess:
    print(sess.run(tf.constant(2)))
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(3)))
