"""A class takes no such argument: the config never gets to a session, and a plain one is made."""

import tensorflow as tf


class Trainer:
    def __init__(self, config):
        self.session = tf.Session(config=config)


config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
try:
    trainer = Trainer(config, name="first")
except TypeError as error:
    print(type(error).__name__)
with tf.Session() as session:
    print(session.run(tf.random_uniform([8])).shape)
