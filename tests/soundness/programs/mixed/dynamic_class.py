"""A class is made with type(); its method makes a plain session between config and session."""

import tensorflow as tf

Check = type("Check", (), {"run": lambda self: tf.Session().run(tf.random_uniform([8]))})
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
Check().run()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
