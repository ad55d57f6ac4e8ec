"""A class of the program makes the session of a MonitoredSession, and its config, when it is asked to."""

# expect: assumption

import tensorflow as tf


class Creator(tf.train.SessionCreator):
    def create_session(self):
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
        sess = tf.Session(config=config)
        sess.run(tf.global_variables_initializer())
        return sess


step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
creator = Creator()
with tf.train.MonitoredSession(creator) as sess:
    for _ in range(2):
        print(sess.run(step))
