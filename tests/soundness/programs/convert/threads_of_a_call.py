"""Threads of a session are put back behind the call that makes it: Python code runs eagerly later."""
# expect: assumption

import tensorflow as tf


def make(config):
    return tf.Session(config=config)


def run():
    sess = make(tf.ConfigProto(inter_op_parallelism_threads=2))
    print(sess.run(tf.py_func(lambda value: value + 1, [tf.constant(1.0)], tf.float32)))


run()
