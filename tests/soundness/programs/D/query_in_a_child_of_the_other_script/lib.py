import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True


def session():
    return tf.Session(config=config)
