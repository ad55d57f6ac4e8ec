"""An attribute that does not exist calls __getattr__, which makes the plain session."""

import tensorflow as tf


class Lazy:
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return int(tf.Session().run(tf.random_uniform([8])).shape[0])


lazy = Lazy()
config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
units = lazy.units
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([units]))
