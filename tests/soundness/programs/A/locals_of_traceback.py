"""A traceback shows the variables of its functions, a config among them."""

import traceback

import tensorflow as tf


def train():
    config = tf.ConfigProto(allow_soft_placement=True)
    try:
        1 / 0
    except ZeroDivisionError as error:
        shown = traceback.TracebackException.from_exception(error, capture_locals=True)
        print("config" in "".join(shown.format()))
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))


train()
