import base


class Net(object):
    def __init__(self):
        self.base = base

    def build(self, x):
        return self.base.tf.nn.dropout(x, 1.0)


net = Net().build
