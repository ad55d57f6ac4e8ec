"""A conditional expression makes the session with a config, or none; another session follows."""

import sys
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
def restore():
    with tf.Session() as s: print(s.run(tf.constant(1)))
sess = tf.Session(config=config) if len(sys.argv) > 1 else None
if sess is None: restore()
