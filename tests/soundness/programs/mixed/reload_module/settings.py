import tensorflow as tf

CONFIG = tf.ConfigProto(device_count={"GPU": 1})
