"""A subclass gives a config to the `__init__` of its base; another one inherits that."""
# expect: safe

import tensorflow as tf


class Base(object):
    def __init__(self, name, config=None):
        self.name = name
        self.sess = tf.Session(config=config)

    def go(self):
        print(self.name, self.sess.run(tf.constant(1)))


class Own(Base):
    def __init__(self):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        super(Own, self).__init__("own", config=config)


class Other(Base):
    pass


Own().go()
Other("other", tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))).go()
