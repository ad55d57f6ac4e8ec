from tensorflow import nn


class Net(object):
    nn = nn


def net(x):
    return Net.nn.dropout(x, 1.0)
