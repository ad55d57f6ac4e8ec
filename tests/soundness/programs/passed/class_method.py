"""A class method makes the object whose constructor gets the config."""

# expect: safe
import tensorflow as tf


class Model:
    def __init__(self, config, units=2):
        self.units = units
        self.sess = tf.Session(config=config)

    @classmethod
    def create(cls, units):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        return cls(config, units)


model = Model.create(3)
print(model.sess.run(tf.ones([model.units])))
