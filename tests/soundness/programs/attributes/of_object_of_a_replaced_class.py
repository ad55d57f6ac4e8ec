"""The class of the object is another one, by its name among those of the module."""

import os

import tensorflow as tf


class Settings:
    def __init__(self):
        self.session = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))


class Plain:
    session = None


globals().update(Settings=Plain)
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
settings = Settings()
with tf.Session(config=settings.session) as sess:
    print(sess.run(tf.constant(1.0) + 1.0))
