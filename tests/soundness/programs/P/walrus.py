"""The config is bound and its value changed inside one expression."""

import tensorflow as tf

gpus = 2
sess = tf.Session(config=(config := tf.ConfigProto(device_count={"GPU": (gpus := gpus - 1)})))
print(len(sess.list_devices()), gpus)
