"""A function changes the list, under a name of its own, behind the config: its length is another."""

import os
import tensorflow as tf


def pick(names):
    names.append(len(names))
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"


def main():
    items = [0]
    config = tf.ConfigProto(intra_op_parallelism_threads=len(items))
    pick(items)
    sess = tf.Session(config=config)
    print(sess.run(tf.constant(1)))


main()
