"""The test of a conditional expression forks before the session."""

import os
import tensorflow as tf
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config) if os.fork() == 0 else None
print(len(sess.list_devices()) if sess else os.wait()[1])
