"""An assignment gives None to a config and to a variable that is read behind it."""
# expect: safe

import tensorflow as tf


def evaluate(step):
    config = step = None
    config = tf.ConfigProto(allow_soft_placement=True)
    with tf.Session(config=config) as sess:
        sess.run(tf.constant(1))
    return step


print(evaluate(5))
