import tensorflow as tf
def make(config):
    return tf.Session(config=config)
