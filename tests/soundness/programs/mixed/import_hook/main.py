import sys

import tensorflow as tf
from finder import Finder

sys.meta_path.insert(0, Finder())
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
import colorsys

with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
print(colorsys.__name__)
