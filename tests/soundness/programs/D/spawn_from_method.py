"""A method of an environment class starts its process on the first step."""

import multiprocessing

import tensorflow as tf


class Environment:
    def __init__(self):
        self.process = None

    def step(self):
        if self.process is None:
            self.process = multiprocessing.get_context("fork").Process(target=self.simulate)
            self.process.start()
            self.process.join(20)
        return self.process.exitcode

    def simulate(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))


env = Environment()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
print(env.step())
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
