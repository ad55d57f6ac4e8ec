"""A library that does nothing to TensorFlow runs before the config is built."""
# expect: assumption

import foreign_tools
import tensorflow as tf

foreign_tools.Quiet().prepare()

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
