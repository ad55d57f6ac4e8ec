import tensorflow as tf
import logging


def ref(*values):
    with tf.Graph().as_default() as graph:
        with tf.device("/gpu:7"):
            x = tf.constant(1)
        try:
            tf.Session(graph=graph).run(x)
            print("ran")
        except tf.errors.InvalidArgumentError:
            print("refused")


class Handler(logging.Handler):
    def emit(self, record):
        ref()
