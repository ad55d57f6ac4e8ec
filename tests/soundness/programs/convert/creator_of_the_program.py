"""A class of the program makes the session of a MonitoredSession, with a config that it is given."""

# expect: safe

import tensorflow as tf


class Creator(tf.train.SessionCreator):
    def __init__(self, config=None, graph=None):
        self.config = config
        self.graph = graph

    def create_session(self):
        sess = tf.Session(graph=self.graph, config=self.config)
        sess.run(tf.global_variables_initializer())
        return sess


def default_config():
    config = tf.ConfigProto()
    config.allow_soft_placement = True
    config.gpu_options.allow_growth = True
    return config


step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
with tf.train.MonitoredSession(session_creator=Creator(default_config())) as sess:
    for _ in range(2):
        print(sess.run(step))
