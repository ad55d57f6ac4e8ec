"""A class has no __init__ of its own; that of its base makes the plain session."""

import tensorflow as tf


class Base:
    def __init__(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))


class Agent(Base):
    pass


config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.4
agent = Agent()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
