"""A class method keeps the one object of its class, which makes the session."""
# expect: safe

import tensorflow as tf


class Model:
    _instance = None

    @classmethod
    def get(cls):
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    def __init__(self):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        self.sess = tf.Session(config=config)

    def predict(self, value):
        return self.sess.run(tf.constant(value))


print(Model.get().predict(1.0))
print(Model.get().predict(2.0))
