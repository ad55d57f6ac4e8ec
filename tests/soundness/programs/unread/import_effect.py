"""A library makes the eager context when it is imported."""

import foreign_import
import tensorflow as tf

print(foreign_import.__name__)

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
