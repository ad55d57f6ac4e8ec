import tensorflow as tf


def make_session(number):
    config = tf.ConfigProto(
        inter_op_parallelism_threads=number, intra_op_parallelism_threads=number
    )
    return tf.Session(config=config)


def in_session(function):
    def newfunc(*args, **kwargs):
        with tf.Session():
            function(*args, **kwargs)

    return newfunc
