import importlib
import sys

import tensorflow as tf

net = importlib.import_module(sys.argv[1])
with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    print(sess.run(net.build()) > 700)
