class Missing(object):
    pass


try:
    import tensorflow as lib
except ImportError:
    lib = Missing()


def net(x):
    return lib.nn.dropout(x, 1.0)
