"""A dataclass calls __post_init__, which makes the plain session."""

import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class Settings:
    units: int = 4

    def __post_init__(self):
        tf.Session().run(tf.random_uniform([self.units]))


config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
settings = Settings()
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([settings.units]))
