"""A class calls the constructor and a method of its base by their class, with the config."""

# expect: safe
import tensorflow as tf


class Base(object):
    def __init__(self, config, name):
        self.name = name
        self.sess = tf.Session(config=config)

    def run(self, steps):
        for _ in range(steps):
            print(self.name, self.sess.run(tf.ones([4])))


class Model(Base):
    def __init__(self, name):
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
        Base.__init__(self, config, name)

    def run(self, steps):
        print("start")
        Base.run(self, steps)


Model("model").run(2)
