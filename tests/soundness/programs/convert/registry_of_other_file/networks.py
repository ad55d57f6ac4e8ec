import tensorflow as tf


class Small:
    def __init__(self, x):
        self.out = tf.reduce_sum(x * 2.0)


class Large(Small):
    pass


_ALL = {"small": Small, "large": Large}


def get(name):
    if name not in _ALL:
        raise ValueError(name)
    return _ALL[name]
