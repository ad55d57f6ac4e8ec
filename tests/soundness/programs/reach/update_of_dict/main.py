import tensorflow as tf
class Trainer(object):
    def __init__(self, **options):
        self.__dict__.update(options)
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        self.sess = tf.Session(config=self.config)
t = Trainer(rate=0.1)
print(t.sess.run(tf.constant(1)), t.rate)
