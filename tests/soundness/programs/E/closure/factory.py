import tensorflow as tf


def maker():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True

    def make():
        return tf.Session(config=config)

    return make
