"""A function returns the object whose attribute a config is in."""

# expect: safe

import tensorflow as tf


class Settings:
    def __init__(self, steps):
        self.steps = steps
        self.session = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))


def load():
    settings = Settings(3)
    return settings


settings = load()
with tf.Session(config=settings.session) as sess:
    print(sess.run(tf.constant(1.0) + settings.steps))
