import tensorflow as tf
from critic import Critic


class Actor:
    def __init__(self):
        config = tf.ConfigProto(device_count={"GPU": 0})
        self.sess = tf.Session(config=config)


actor, critic = Actor(), Critic()
actor.sess.run(tf.random_uniform([8]))
critic.score()
