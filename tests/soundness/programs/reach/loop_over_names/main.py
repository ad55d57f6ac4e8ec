import tensorflow as tf
class Trainer(object):
    def __init__(self):
        self.rate = 0.1
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        self.sess = tf.Session(config=self.config)
    def show(self):
        for name in ('rate', 'config'):
            print(name, type(getattr(self, name)).__name__)
Trainer().show()
