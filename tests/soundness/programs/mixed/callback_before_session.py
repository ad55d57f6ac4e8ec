"""on_start of a callback runs between the config and the session of the loop."""

import tensorflow as tf


class Baseline:
    def on_start(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            sess.run(tf.random_uniform([8]))


class Loop:
    def __init__(self, *callbacks):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        self.callbacks = callbacks

    def run(self):
        for callback in self.callbacks:
            callback.on_start()
        with tf.Session(config=self.config) as sess:
            sess.run(tf.random_uniform([8]))


Loop(Baseline()).run()
