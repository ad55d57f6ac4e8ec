"""The options are a private attribute of another class."""
import tensorflow as tf
y = tf.constant(1)
class M(object):
    def __init__(self):
        self.__o = tf.GPUOptions()
    def go(self):
        with tf.Session(config=tf.ConfigProto(gpu_options=self.__o)) as s: print(s.run(y))
class S(M):
    def __init__(self):
        M.__init__(self)
        self.__o = tf.GPUOptions(allow_growth=True)
S().go()
