"""The test of a conditional expression is a property that writes CUDA_VISIBLE_DEVICES."""

import os
import tensorflow as tf
class Runner:
    def __init__(self, gpu):
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        self.gpu = gpu
        self.sess = tf.Session(config=config) if self.ready else None
    @property
    def ready(self):
        os.environ['CUDA_VISIBLE_DEVICES'] = str(self.gpu)
        return True
print(len(Runner(1).sess.list_devices()))
