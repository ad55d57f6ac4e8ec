"""A handler's name is that of one of Python's errors, and means one of TensorFlow's."""

import tensorflow as tf

StopIteration = tf.errors.OpError
try:
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    tf.Session(config=config)
except StopIteration:
    print("caught")
