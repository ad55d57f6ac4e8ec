"""A call that turns control flow of version 2 off only sometimes turns nothing off for certain."""
# tensorflow: 2

import os
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
if os.environ.get("GRAPHS"):
    tf.disable_v2_behavior()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
total = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
with tf.Session(config=config) as sess:
    print(sess.graph is not None, total is not None)
