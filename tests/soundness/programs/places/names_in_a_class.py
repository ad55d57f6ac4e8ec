"""Settings in the body of a class leave no name there that code asks for."""

import os
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
os.environ['CUDA_VISIBLE_DEVICES'] = '0'


class T(object):
    sess = tf.Session(config=config)

    def go(self):
        print(getattr(self, 'gpu', 'none'))    # before: none; after: PhysicalDevice(...)


T().go()
