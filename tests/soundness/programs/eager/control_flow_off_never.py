"""A function that nobody calls turns nothing off: a loop makes the GPUs."""
# tensorflow: 2

import tensorflow.compat.v1 as tf

def legacy():
    tf.disable_v2_behavior()

tf.disable_eager_execution()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
total = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
with tf.Session(config=config) as sess:
    print(sess.graph is not None, total is not None)
