import tensorflow as tf

import lib


def net(x):
    return lib.tf.nn.dropout(x, 1.0)
