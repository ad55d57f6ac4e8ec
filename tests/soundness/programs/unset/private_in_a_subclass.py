"""A private attribute of a class is not that of a class which inherits from it."""
import tensorflow as tf
y = tf.constant(1)
class M(object):
    def __init__(self):
        self.__config = None
        self.setup()
    def setup(self):
        pass
    def go(self):
        with tf.Session(config=self.__config) as s: print(s.run(y))
class S(M):
    def setup(self):
        self.__config = tf.ConfigProto(device_count={'GPU': 0})
S().go()
