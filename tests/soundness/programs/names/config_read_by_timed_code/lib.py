import os
import sys
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
def start():
    return tf.Session(config=config)
