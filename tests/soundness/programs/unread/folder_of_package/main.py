import tensorflow as tf

import pkg
from pkg import addon

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
addon.check()
pkg.check()
with tf.Session(config=config) as sess:
    print(sess.run(tf.random_uniform([4])).shape)
