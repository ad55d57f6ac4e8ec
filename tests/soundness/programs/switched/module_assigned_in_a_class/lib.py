import tensorflow


class Net(object):
    lib = tensorflow

    def build(self, x):
        return self.lib.nn.dropout(x, 1.0)


def net(x):
    return Net().build(x)
