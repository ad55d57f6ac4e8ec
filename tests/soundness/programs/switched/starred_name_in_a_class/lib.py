from base import *


class Net(object):
    tf = tf


def net(x):
    return Net.tf.nn.dropout(x, 1.0)
