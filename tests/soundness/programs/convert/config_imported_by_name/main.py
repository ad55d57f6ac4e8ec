import tensorflow as tf
from settings import (
    STEPS,
    session_config as config,  # growth
)


def train(config=None):
    return STEPS


with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(train())))
