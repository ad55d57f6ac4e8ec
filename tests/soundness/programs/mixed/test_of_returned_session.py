"""The session is returned by a conditional expression whose test writes CUDA_VISIBLE_DEVICES."""

import os
import tensorflow as tf
def set_gpu(i):
    os.environ['CUDA_VISIBLE_DEVICES'] = str(i)
    return True
def make():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return tf.Session(config=config) if set_gpu(1) else None
print(len(make().list_devices()))
