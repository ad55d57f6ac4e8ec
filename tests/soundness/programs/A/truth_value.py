"""`if model:` calls __bool__, which makes the plain session."""

import tensorflow as tf


class Model:
    def __bool__(self):
        tf.Session().run(tf.random_uniform([8]))
        return True


model = Model()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
if model:
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
