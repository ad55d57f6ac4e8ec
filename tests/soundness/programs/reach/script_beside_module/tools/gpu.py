import tensorflow as tf
def session():
    return tf.Session(config=tf.ConfigProto(device_count={'GPU': 1}))
