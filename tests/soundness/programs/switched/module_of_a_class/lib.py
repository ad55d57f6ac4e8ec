class Net(object):
    import tensorflow as lib

    def build(self, x):
        return self.lib.nn.dropout(x, 1.0)


def net(x):
    return Net().build(x)
