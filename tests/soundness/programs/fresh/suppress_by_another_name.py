"""What suppresses the error of a session is imported by another name."""

from contextlib import suppress as ignoring

import tensorflow as tf

with ignoring(tf.errors.OpError):
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    tf.Session(config=config)
print("on")
