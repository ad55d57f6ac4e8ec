import tensorflow as tf


class Base(object):
    def __init__(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)

    def names(self):
        return [d.name for d in tf.Session(config=self.config).list_devices()]
