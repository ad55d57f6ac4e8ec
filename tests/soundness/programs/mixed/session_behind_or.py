"""The session with a config is the second operand of `or`; a session without one follows."""

import sys

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = len(sys.argv) == 1 or tf.Session(config=config)
other = tf.Session()
print(len(other.list_devices()))
