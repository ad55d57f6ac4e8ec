"""Sessions in a list: with a config, plain, with another config."""

import tensorflow as tf

one = tf.ConfigProto(device_count={"GPU": 1})
none = tf.ConfigProto(device_count={"GPU": 0})
sessions = [tf.Session(config=one), tf.Session(), tf.Session(config=none), tf.Session()]
print([len(sess.list_devices()) for sess in sessions])
