"""A subclass has no config: its session is a plain one."""
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(device_count={"GPU": 1})

    def run(self):
        with tf.Session(config=self.config) as sess:
            print(len(sess.list_devices()))


class Plain(Trainer):
    config = None

    def __init__(self):
        pass


Trainer().run()
Plain().run()
