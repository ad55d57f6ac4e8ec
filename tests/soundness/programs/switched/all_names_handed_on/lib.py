from base import *


def net(x):
    return nn.dropout(x, 1.0)
