"""A function of a library, which only the command line names, runs before the session."""
# argv: colorsys rgb_to_hsv
# expect: assumption

import importlib
import sys

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
function = getattr(importlib.import_module(sys.argv[1]), sys.argv[2])
print(function(1.0, 1.0, 1.0))
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
