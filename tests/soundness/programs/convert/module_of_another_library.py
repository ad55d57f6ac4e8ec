"""The program gives a library another name in sys.modules, by which no file imports it."""
# expect: assumption

import json
import sys

import tensorflow as tf

sys.modules["simplejson"] = json
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([4]))
