"""`sess: tf.Session = tf.Session(...)`."""

import tensorflow as tf

config: tf.ConfigProto = tf.ConfigProto(device_count={"GPU": 1})
sess: tf.Session = tf.Session(config=config)
print(len(sess.list_devices()), len(tf.Session().list_devices()))
