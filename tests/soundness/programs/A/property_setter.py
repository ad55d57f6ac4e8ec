"""Setting a property makes the plain session."""

import tensorflow as tf


class Model:
    @property
    def weights(self):
        return None

    @weights.setter
    def weights(self, value):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([value]))


model = Model()
config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
model.weights = 4
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
