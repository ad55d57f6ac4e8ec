"""A function is handed objects of two classes, of which one has another config."""

import tensorflow as tf


class Growing:
    def __init__(self):
        self.session = tf.ConfigProto()
        self.session.gpu_options.allow_growth = True


class Limited:
    def __init__(self, limit):
        self.session = tf.ConfigProto()
        self.session.gpu_options.per_process_gpu_memory_fraction = limit


def train(settings):
    with tf.Session(config=settings.session) as sess:
        print(sess.run(tf.ones([4])))


train(Growing())
train(Limited(0.5))
