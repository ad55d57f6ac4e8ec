"""The test of a conditional expression, which is evaluated first, writes CUDA_VISIBLE_DEVICES."""

import os
import tensorflow as tf
def set_gpu(i):
    os.environ['CUDA_VISIBLE_DEVICES'] = str(i)
    return True
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config) if set_gpu(1) else None
print(len(sess.list_devices()))
