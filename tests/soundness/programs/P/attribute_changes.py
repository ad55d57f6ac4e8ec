"""The value is an attribute that a method changes before the session is made."""

import tensorflow as tf


class Settings:
    gpus = 1

    def parse(self):
        self.gpus = 2


settings = Settings()
config = tf.ConfigProto(device_count={"GPU": settings.gpus})
settings.parse()
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
