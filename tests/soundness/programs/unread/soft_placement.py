"""Soft placement can be set behind an eager context, so it asks for no library in front of it."""
# expect: safe

import foreign_tools
import tensorflow as tf

foreign_tools.Quiet().prepare()

config = tf.ConfigProto()
config.allow_soft_placement = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
