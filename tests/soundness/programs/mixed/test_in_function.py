"""A function makes its session behind a test that writes CUDA_VISIBLE_DEVICES, in one expression."""

import os
import tensorflow as tf
def set_gpu(i):
    os.environ['CUDA_VISIBLE_DEVICES'] = str(i)
    return True
def make(config):
    return tf.Session(config=config) if set_gpu(1) else None
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
s = make(config)
print(len(s.list_devices()))
