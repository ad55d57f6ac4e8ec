"""A method that takes a config is called by other names, too, which the body of its class gives."""

import tensorflow as tf


class Sessions(object):
    def create(self, config):
        return tf.Session(config=config)

    @staticmethod
    def open(config):
        return tf.Session(config=config)

    make = create
    kinds = {"open": open}


if __name__ == "__main__":
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    sessions = Sessions()
    with sessions.create(config) as sess:
        print(sess.run(tf.constant(1.0)))
    with Sessions.open(config) as sess:
        print(sess.run(tf.constant(2.0)))
    with sessions.make(None) as sess:
        print(sess.run(tf.constant(3.0)))
