import tensorflow as tf
def make():
    c = tf.ConfigProto(device_count={'GPU': 1})
    return tf.Session(config=c)
