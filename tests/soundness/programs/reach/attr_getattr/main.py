import tensorflow as tf
class T(object):
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        self.sess = tf.Session(config=self.config)
t = T()
print(getattr(t, 'con' + 'fig').gpu_options.allow_growth)
