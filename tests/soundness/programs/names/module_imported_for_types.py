"""TensorFlow has a second name, which only type checkers import."""

from typing import TYPE_CHECKING

import tensorflow.compat.v1 as tf

if TYPE_CHECKING:
    import tensorflow

tf.disable_v2_behavior()


def main():
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


main()
