"""`with` calls __enter__, which makes the plain session."""

import tensorflow as tf


class Timer:
    def __enter__(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))
        return self

    def __exit__(self, *error):
        return False


config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
with Timer(), tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
