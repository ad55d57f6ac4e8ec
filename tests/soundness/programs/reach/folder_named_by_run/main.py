import os
import sys

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), sys.argv[1])
sys.path.insert(0, folder)
import tools

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
tools.check()
