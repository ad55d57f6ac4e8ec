import functools

import tensorflow as tf


class Settings:
    gpus = 2

    @functools.cached_property
    def config(self):
        return tf.ConfigProto(device_count={"GPU": self.gpus})
