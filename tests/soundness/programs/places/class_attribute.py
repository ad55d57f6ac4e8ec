"""The session is an attribute of a class."""

import tensorflow as tf


class Model:
    config = tf.ConfigProto(device_count={"GPU": 1})
    sess = tf.Session(config=config)
    other = tf.Session()


print(len(Model.sess.list_devices()), len(Model.other.list_devices()))
