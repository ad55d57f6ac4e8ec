import tensorflow as tf
class Trainer(object):
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        self.sess = tf.Session(config=self.config)
def check(x):
    return hasattr(x, 'config')
print(check(Trainer()))
