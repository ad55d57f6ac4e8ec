"""An object of the module makes the config in one of its methods."""
# expect: safe

import tensorflow as tf


class Settings(object):
    def make(self):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        return config


settings = Settings()
with tf.Session(config=settings.make()) as sess:
    print(sess.run(tf.constant(1)))
