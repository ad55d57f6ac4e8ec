"""A method is called as those of sessions are: the settings come in front of its session still."""
# expect: safe

import tensorflow as tf


class Trainer(object):
    def __init__(self):
        self.sess = None
        self.config = self._make_config()

    def _make_config(self):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        return config

    def run(self):
        one = tf.constant(1)
        self.sess = tf.train.MonitoredTrainingSession(config=self.config)
        print(self.sess.run(one))
        self.sess.close()


Trainer().run()
