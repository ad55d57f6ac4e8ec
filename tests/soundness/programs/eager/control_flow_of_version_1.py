"""With the behaviour of version 2 off, control flow is built in the graph itself."""
# expect: safe
# tensorflow: 2

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
total = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
with tf.Session(config=config) as sess:
    print(sess.graph is not None, total is not None)
