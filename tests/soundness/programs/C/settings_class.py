"""A class attribute's setter writes the variable behind the config."""

import os

import tensorflow as tf


class Settings:
    @property
    def gpu(self):
        return os.environ.get("CUDA_VISIBLE_DEVICES")

    @gpu.setter
    def gpu(self, number):
        os.environ["CUDA_VISIBLE_DEVICES"] = str(number)


settings = Settings()
config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
settings.gpu = 1
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
