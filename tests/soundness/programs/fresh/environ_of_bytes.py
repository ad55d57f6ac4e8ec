"""CUDA_VISIBLE_DEVICES is written through os.environb."""

import os, sys
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
os.environb[b"CUDA_VISIBLE_DEVICES"] = b"1"
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)), len(sess.list_devices()))
