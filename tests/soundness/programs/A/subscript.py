"""`dataset[0]` calls __getitem__, which makes the plain session."""

import tensorflow as tf


class Data:
    def __getitem__(self, index):
        return int(tf.Session().run(tf.random_uniform([index + 1])).shape[0])


data = Data()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
first = data[0]
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([first]))
