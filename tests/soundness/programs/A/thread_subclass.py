"""Thread.start() runs a run() of the program that makes a plain session."""

import threading

import tensorflow as tf


class WarmUp(threading.Thread):
    def run(self):
        with tf.Graph().as_default(), tf.Session() as sess:
            sess.run(tf.random_uniform([8]))


config = tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 1})
worker = WarmUp()
worker.start()
worker.join()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
