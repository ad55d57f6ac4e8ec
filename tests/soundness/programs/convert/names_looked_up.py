"""A name of this module is looked up by a text that is known in other runs only."""
# expect: assumption

import sys

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
if len(sys.argv) > 1:
    print(getattr(sys.modules[__name__], sys.argv[1]))
