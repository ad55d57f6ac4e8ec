"""Static methods and class methods are given the config of their session."""
# expect: safe

import tensorflow as tf


class Sessions(object):
    @staticmethod
    def open(name, config=None, graph=None):
        print(name)
        return tf.Session(config=config, graph=graph)

    @classmethod
    def make(cls, config):
        return cls.open("make", config)


if __name__ == "__main__":
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with Sessions.make(config) as sess:
        print(sess.run(tf.constant(1.0)))
    with Sessions().open("object", config) as sess:
        print(sess.run(tf.constant(2.0)))
    with Sessions.open("class", graph=tf.get_default_graph(), config=config) as sess:
        print(sess.run(tf.constant(3.0)))
