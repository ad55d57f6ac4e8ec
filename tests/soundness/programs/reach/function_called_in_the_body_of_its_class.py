"""A function is called where its class is defined."""
import os

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
class Setup(object):
    def select(self=None):
        os.environ['CUDA_VISIBLE_DEVICES'] = '1'

    select()
with tf.Session(config=config) as session:
    session.run(tf.matmul(tf.ones([4, 4]), tf.ones([4, 4])))
