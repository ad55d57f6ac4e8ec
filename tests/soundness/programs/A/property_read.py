"""Reading a property makes the plain session."""

import tensorflow as tf


class Model:
    @property
    def size(self):
        with tf.Session() as sess:
            return int(sess.run(tf.random_uniform([8])).shape[0])


model = Model()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5
size = model.size
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([size]))
