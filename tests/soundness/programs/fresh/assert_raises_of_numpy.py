"""A test of NumPy wants the error of a session."""

import numpy as np
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.visible_device_list = "7"
with np.testing.assert_raises(tf.errors.InvalidArgumentError):
    tf.Session(config=config)
print("ok")
