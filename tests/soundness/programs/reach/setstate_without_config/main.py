import pickle
import tensorflow as tf
class Trainer(object):
    def __init__(self):
        self.rate = 0.1
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        with tf.Session(config=self.config) as s:
            s.run(tf.constant(1))
    def __getstate__(self):
        state = self.__dict__.copy()
        del state['config']
        return state
print(pickle.loads(pickle.dumps(Trainer())).rate)
