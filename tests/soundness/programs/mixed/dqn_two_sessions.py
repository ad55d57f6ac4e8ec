"""DQN: an online and a target network with a session and a graph each, and a greedy evaluation."""

import tensorflow as tf


class Network:
    def __init__(self, name, config=None):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.state = tf.placeholder(tf.float32, [None, 2])
            self.weights = tf.get_variable(name, [2, 2])
            self.action = tf.argmax(tf.matmul(self.state, self.weights), 1)
            init = tf.global_variables_initializer()
        self.sess = tf.Session(graph=self.graph, config=config)
        self.sess.run(init)

    def act(self, state):
        return self.sess.run(self.action, {self.state: state}).shape


config = tf.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
online = Network("online", config)
target = Network("target")
print(online.act([[1.0, 2.0]]), target.act([[1.0, 2.0]]))
