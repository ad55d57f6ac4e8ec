import tensorflow as tf
class Trainer(object):
    def __init__(self):
        self.rate = 0.1
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        self.sess = tf.Session(config=self.config)
    def show(self):
        for name in ('rate', 'sess'):
            print(name, getattr(self, name) is not None, getattr(self, 'layer_%d' % 1, None))
Trainer().show()
