"""Attributes of an object are None together before it has a session, and behind that."""
# expect: safe

import tensorflow as tf


class Worker:
    def __init__(self):
        self.config = self.sess = self.saver = None  # made by setup

    def setup(self):
        self.config = tf.ConfigProto(device_count={"GPU": 1})
        self.config.gpu_options.allow_growth = True
        self.sess = tf.Session(config=self.config)

    def close(self):
        self.sess.close()
        self.sess = self.config = None


worker = Worker()
print(worker.saver)
worker.setup()
print(worker.sess.run(tf.constant(1)))
worker.close()
print(worker.sess)
