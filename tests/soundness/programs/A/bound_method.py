"""A bound method in an attribute makes the plain session."""

import tensorflow as tf


class Agent:
    def __init__(self):
        self.step = self._evaluate

    def _evaluate(self):
        tf.Session().run(tf.random_uniform([8]))


agent = Agent()
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.4))
agent.step()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
