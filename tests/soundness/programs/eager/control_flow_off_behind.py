"""Control flow of version 2 is turned off behind a loop that made the GPUs."""
# tensorflow: 2

import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
total = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
tf.disable_control_flow_v2()
with tf.Session(config=config) as sess:
    print(sess.graph is not None, total is not None)
