import tensorflow as tf

def make():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config
