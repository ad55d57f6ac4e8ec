import tensorflow as tf


def run(op):
    config = tf.ConfigProto(device_count={"GPU": 1})
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as sess:
        sess.run(op)


class _Session:
    def __init__(self, config=None):
        self.sess = tf.Session(config=config)
