import pkg.base


def build(package, x):
    return package.base.tf.nn.dropout(x, 1.0)


def net(x):
    return build(pkg, x)
