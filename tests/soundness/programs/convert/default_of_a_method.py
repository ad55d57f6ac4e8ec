"""A method and an `__init__` make configs of their own, one of two, where a call gives none."""
# expect: safe

import tensorflow as tf


class Sessions:
    def make(self, log=False, config=None):
        if config is None:
            if log:
                config = tf.ConfigProto(log_device_placement=True)
            else:
                config = tf.ConfigProto(allow_soft_placement=True)
        return tf.Session(config=config)

    def run(self):
        with self.make(config=tf.ConfigProto(device_count={"GPU": 1})) as sess:
            print(sess.run(tf.constant(1.0)))
        with self.make(True) as sess:
            print(sess.run(tf.constant(2.0)))
        with self.make() as sess:
            print(sess.run(tf.constant(3.0)))


class Other:
    def __init__(self, config=None):
        config = tf.ConfigProto(allow_soft_placement=True) if config is None else config
        self.session = tf.Session(config=config)


if __name__ == "__main__":
    Sessions().run()
    other = Other(tf.ConfigProto(log_device_placement=True))
    other = Other()
