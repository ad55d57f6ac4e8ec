import tensorflow as tf

import pkg.addon

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
pkg.addon.check()
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([4])).shape)
