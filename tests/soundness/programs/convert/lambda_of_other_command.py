"""One command predicts, another one trains on a dataset whose function is a lambda."""
# expect: assumption

import sys

import tensorflow as tf


def train():
    rows = tf.data.Dataset.from_tensors({"a": 1.0})
    pairs = rows.map(lambda row: tuple(getattr(row, name) for name in sys.argv))
    print(pairs)


def predict():
    config = tf.ConfigProto(inter_op_parallelism_threads=1)
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(3.0) + 1))


COMMANDS = {"train": train, "predict": predict}
COMMANDS[sys.argv[1] if len(sys.argv) > 1 else "predict"]()
