try:
    import base
except ImportError:
    base = object()


def net(x):
    return base.tf.nn.dropout(x, 1.0)
