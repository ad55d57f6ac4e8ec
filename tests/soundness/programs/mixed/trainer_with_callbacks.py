"""A training loop with a list of callbacks; one of them evaluates in a plain session."""

import tensorflow as tf


class Callback:
    def on_epoch(self, epoch):
        pass


class Print(Callback):
    def on_epoch(self, epoch):
        print("epoch", epoch)


class Evaluate(Callback):
    def on_epoch(self, epoch):
        with tf.Graph().as_default(), tf.Session() as sess:
            print(len(sess.list_devices()))


class Loop:
    def __init__(self, callbacks):
        self.callbacks = callbacks
        config = tf.ConfigProto(device_count={"GPU": 1})
        self.sess = tf.Session(config=config)

    def run(self):
        noise = tf.random_uniform([8])
        for epoch in range(2):
            self.sess.run(noise)
            for callback in self.callbacks:
                callback.on_epoch(epoch)


Loop([Print(), Evaluate()]).run()
