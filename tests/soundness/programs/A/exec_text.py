"""exec runs a text that makes the plain session."""

import tensorflow as tf

TEXT = "S = getattr(tf, 'Ses' + 'sion')\nS().run(tf.random_uniform([8]))\n"
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
exec(TEXT)
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
