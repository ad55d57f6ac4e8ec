"""An unpacked argument, which stands last, is evaluated before the keyword with the session."""

import os
import tensorflow as tf
def set_gpu(i):
    os.environ['CUDA_VISIBLE_DEVICES'] = str(i)
    return {}
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
def f(*a, **k): return k['sess']
f(sess=tf.Session(config=config), *set_gpu(1))
