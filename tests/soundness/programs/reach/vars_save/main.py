import tensorflow as tf
class T(object):
    def __init__(self):
        self.lr = 0.1
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        self.sess = tf.Session(config=self.config)
    def __repr__(self): return 'T(%s)' % ', '.join(sorted(self.__dict__))
print(T())
