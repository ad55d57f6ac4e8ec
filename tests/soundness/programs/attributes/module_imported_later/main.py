import tensorflow as tf


def train():
    with tf.Session(config=utils.CONFIG) as session:
        print(session.run(tf.constant(1)))
    import utils


train()
