"""A Coordinator keeps the error of a session, and raises it later."""

import tensorflow as tf
coord = tf.train.Coordinator()
with coord.stop_on_exception():
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = "7"
    tf.Session(config=config)
try:
    coord.join([])
except Exception as e:
    print(type(e).__name__)
