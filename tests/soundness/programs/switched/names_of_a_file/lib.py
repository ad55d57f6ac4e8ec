import base


def net(x):
    return base.__dict__['tf'].nn.dropout(x, 1.0)
