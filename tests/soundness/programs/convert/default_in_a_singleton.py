"""A config is made where none is given, in the block that makes the one session of the program."""
# expect: safe

import tensorflow as tf

_SESSION = None


def get_session(config=None):
    global _SESSION
    if _SESSION is None:
        if config is None:
            config = tf.ConfigProto(allow_soft_placement=True)
            config.gpu_options.allow_growth = True
        _SESSION = tf.Session(config=config)
    return _SESSION


class Model(object):
    def __init__(self, config=None):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.y = tf.constant(2.0) * 3.0
            config = config or tf.ConfigProto(allow_soft_placement=True)
            config.gpu_options.allow_growth = True
            self.sess = tf.Session(config=config)


if __name__ == "__main__":
    given = tf.ConfigProto(allow_soft_placement=True)
    given.gpu_options.allow_growth = True
    print(get_session(given).run(tf.constant(1.0)))
    print(get_session().run(tf.constant(2.0)))
    model = Model()
    print(model.sess.run(model.y))
