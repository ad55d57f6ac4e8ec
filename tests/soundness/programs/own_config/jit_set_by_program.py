"""The program turns jit on by tf.config; one session has it off by its config."""

import tensorflow as tf

tf.config.optimizer.set_jit(True)
config = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
