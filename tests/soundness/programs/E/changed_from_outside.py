"""The config of a trainer is changed, or taken away, between its constructor and its session."""
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.config = tf.ConfigProto(device_count={"GPU": 1})

    def run(self):
        with tf.Session(config=self.config) as sess:
            print(len(sess.list_devices()))


one, other, third = Trainer(), Trainer(), Trainer()
other.config = None
third.config.device_count["GPU"] = 2
for trainer in (one, other, third):
    trainer.run()
