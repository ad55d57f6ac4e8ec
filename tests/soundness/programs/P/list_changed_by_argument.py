"""An argument in front of the config changes the list that a value is computed from."""

import tensorflow as tf

items = [0]


def build(names):
    names.append(1)
    return tf.Graph()


sess = tf.Session(
    graph=build(items), config=tf.ConfigProto(intra_op_parallelism_threads=len(items))
)
