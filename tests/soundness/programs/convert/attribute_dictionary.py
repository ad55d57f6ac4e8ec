"""The options of a program are a dictionary whose items are attributes, and an only object."""

# expect: safe
import tensorflow as tf


class AttrDict(dict):
    __setattr__ = dict.__setitem__

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)


class Log(object):
    only = None

    def __new__(cls):
        if cls.only is None:
            cls.only = super(Log, cls).__new__(cls)
            cls.only.lines = []
        return cls.only

    def write(self, line):
        self.lines.append(line)
        print(line)


class Trainer(object):
    def __init__(self, options, session):
        self.options = options
        self.session = session

    def train(self):
        for step in range(self.options.steps):
            Log().write(self.session.run(self.options.loss))


def main():
    options = AttrDict(steps=2)
    options.loss = tf.reduce_sum(tf.ones([4]))
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.allow_growth = True
    with tf.Session(config=config) as session:
        Trainer(options, session).train()
    print(len(Log().lines))


main()
