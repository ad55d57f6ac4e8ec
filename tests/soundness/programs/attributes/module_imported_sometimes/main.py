import sys

import tensorflow as tf


def train():
    if len(sys.argv) > 5:
        import utils
    with tf.Session(config=utils.CONFIG) as session:
        print(session.run(tf.constant(1)))


train()
