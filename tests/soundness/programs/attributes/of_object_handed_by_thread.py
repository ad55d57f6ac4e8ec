"""A thread hands a function an object whose class makes it no config."""

import threading

import tensorflow as tf


class Settings:
    def __init__(self):
        self.session = tf.ConfigProto()
        self.session.gpu_options.allow_growth = True


class Plain:
    session = None


def train(settings):
    with tf.Session(config=settings.session) as sess:
        print(sess.run(tf.ones([4])))


worker = threading.Thread(target=train, args=(Plain(),))
worker.start()
worker.join()
train(Settings())
