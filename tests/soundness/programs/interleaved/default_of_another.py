"""What puts a default back for one config stands between two sessions of another, in a loop."""

import tensorflow as tf

for step in range(2):
    config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=True)
    other = tf.ConfigProto()
    other.graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1
    sess = tf.Session(config=other)
    print(sess.run(tf.constant(1)))
    sess.close()
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(2)))
    with tf.Session(config=other) as sess:
        print(sess.run(tf.constant(3)))
