"""A function of a library, which Python calls, makes the eager context."""

import foreign_tools
import tensorflow as tf

list(map(foreign_tools.start, range(2)))

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
