import tensorflow as tf


class Settings:
    def __init__(self):
        self.session = tf.ConfigProto()
        self.session.gpu_options.allow_growth = True


def train(settings):
    with tf.Session(config=settings.session) as sess:
        print(sess.run(tf.ones([4])))
