"""The function that returns the object is another one, by its name among those of the module."""

import os

import tensorflow as tf


class Settings:
    def __init__(self):
        self.session = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))


class Plain:
    session = None


def load():
    return Settings()


globals()["load"] = Plain
Settings()
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
settings = load()
with tf.Session(config=settings.session) as sess:
    print(sess.run(tf.constant(1.0) + 1.0))
