import tensorflow as tf

VERSION = tf.__version__[:2]


class HParams:
    def __init__(self, **values):
        self.__dict__.update(values)
