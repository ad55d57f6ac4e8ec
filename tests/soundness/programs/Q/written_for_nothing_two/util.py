import tensorflow as tf
def config(n):
    return tf.ConfigProto(device_count={'GPU': n, 'CPU': 1})
