import importlib


def net(x):
    return importlib.import_module('base').tf.nn.dropout(x, 1.0)
