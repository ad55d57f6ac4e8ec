"""A method that stores the config is called for one of two objects in a function."""

import tensorflow as tf


class Trainer:
    def setup(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)


def main():
    first = Trainer()
    second = Trainer()
    first.setup()
    try:
        with tf.Session(config=second.config) as sess:
            print(sess.run(tf.ones([4])))
    except AttributeError:
        print("no config")


main()
