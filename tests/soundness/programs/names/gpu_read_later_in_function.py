"""A global called gpu is read in a function that makes a session with growth."""

import tensorflow as tf

gpu = "global"


def train():
    print(gpu)
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


train()
print(gpu)
