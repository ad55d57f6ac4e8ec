import copy
import tensorflow as tf
class T(object):
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
    def run(self):
        with tf.Session(config=self.config) as s: return s.run(tf.constant(1))
t = copy.deepcopy(T())
print(t.run(), t.__dict__.keys())
