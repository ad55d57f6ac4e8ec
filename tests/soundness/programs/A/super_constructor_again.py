"""A method runs the constructor that its class inherits, which makes the plain session then."""

import os

import tensorflow as tf


class Base:
    def __init__(self, gpu):
        if gpu:
            os.environ["CUDA_VISIBLE_DEVICES"] = gpu


class Model(Base):
    def restart(self):
        super().__init__("1")


def train(model):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    model.restart()
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))


train(Model(""))
