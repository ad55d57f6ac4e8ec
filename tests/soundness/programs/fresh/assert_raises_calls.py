"""A test of NumPy calls what makes a session, and wants its error."""

import numpy as np
import tensorflow as tf
def make():
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    return tf.Session(config=config)
np.testing.assert_raises(tf.errors.InvalidArgumentError, make)
print("ok")
