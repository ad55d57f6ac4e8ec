"""An object that is made without a config, behind one that has one."""
import tensorflow as tf


class Trainer:
    def __init__(self, small):
        self.config = None
        if small:
            self.config = tf.ConfigProto(device_count={"GPU": 1})

    def run(self):
        with tf.Session(config=self.config) as sess:
            print(len(sess.list_devices()))


Trainer(True).run()
Trainer(False).run()
