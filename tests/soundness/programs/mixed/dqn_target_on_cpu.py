"""DQN: the target network has no GPU, the online network has both."""

import tensorflow as tf


class Agent:
    def __init__(self):
        self.sessions = {}
        for name, gpus in (("target", 0), ("online", 2)):
            config = tf.ConfigProto(device_count={"GPU": gpus})
            self.sessions[name] = tf.Session(graph=tf.Graph(), config=config)

    def devices(self):
        return {name: len(sess.list_devices()) for name, sess in self.sessions.items()}


print(Agent().devices())
