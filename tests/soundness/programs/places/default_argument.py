"""The session is a default argument: made once, where the function is defined."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})


def devices(sess=tf.Session(config=config)):
    return len(sess.list_devices())


print(len(tf.Session().list_devices()), devices(), devices())
