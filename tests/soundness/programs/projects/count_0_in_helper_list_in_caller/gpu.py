import tensorflow as tf
def make_config():
    config = tf.ConfigProto(device_count={'GPU': 0})
    return config
