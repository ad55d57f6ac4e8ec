"""One arm of a conditional expression makes a session with a config, the other one without."""

import sys
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config) if len(sys.argv) > 1 else tf.Session()
print(len(sess.list_devices()))
