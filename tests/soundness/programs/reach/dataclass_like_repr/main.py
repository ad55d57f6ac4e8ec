import tensorflow as tf
from base import Described
class Trainer(Described):
    def __init__(self):
        self.config = tf.ConfigProto()
        self.config.gpu_options.allow_growth = True
        self.sess = tf.Session(config=self.config)
print(Trainer().describe())
