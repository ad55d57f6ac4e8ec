"""Each object stores its config in front of its session."""

# expect: safe

import tensorflow as tf


class Trainer:
    def setup(self):
        self.config = tf.ConfigProto(allow_soft_placement=True)


def main():
    first = Trainer()
    second = Trainer()
    first.setup()
    with tf.Session(config=first.config) as sess:
        print(sess.run(tf.ones([4])))
    second.setup()
    with tf.Session(config=second.config) as sess:
        print(sess.run(tf.ones([4])))


main()
