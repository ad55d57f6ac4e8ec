"""An object of a class that inherits from a Keras model is called before the session."""
# tensorflow: 2

import numpy as np
import tensorflow as tf


class Doubled(tf.keras.Model):
    def call(self, inputs):
        return inputs * 2


doubled = Doubled()
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
doubled(np.zeros((1, 3), "float32"))
with tf.Graph().as_default():
    sess = tf.compat.v1.Session(config=config)
    print(sess.run(tf.constant(1.0)))
