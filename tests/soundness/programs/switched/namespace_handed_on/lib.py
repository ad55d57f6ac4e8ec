from base import nn


def net(x):
    return nn.dropout(x, 1.0)
