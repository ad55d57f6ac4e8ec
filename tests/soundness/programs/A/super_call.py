"""super() reaches the method that makes the plain session."""

import tensorflow as tf


class Base:
    def setup(self):
        with tf.Session() as sess:
            sess.run(tf.random_uniform([8]))


class Agent(Base):
    def setup(self):
        self.config = tf.ConfigProto(device_count={"GPU": 0})
        super().setup()
        self.sess = tf.Session(config=self.config)


agent = Agent()
agent.setup()
agent.sess.run(tf.random_uniform([8]))
