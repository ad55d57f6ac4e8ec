"""A match with a class pattern reads a property that makes a plain session."""

import tensorflow as tf


class Model:
    __match_args__ = ("size",)

    @property
    def size(self):
        tf.Session().run(tf.random_uniform([8]))
        return 3


config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.4))
match Model():
    case Model(size):
        pass
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([size]))
