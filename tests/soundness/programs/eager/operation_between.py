"""Eager code makes the GPUs between a config and its session, which then has no say in them."""
# tensorflow: 2

import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
print((tf.constant(1.0) + 2.0).numpy())
with tf.Graph().as_default():
    sess = tf.compat.v1.Session(config=config)
    print(sess.run(tf.constant(1.0)))
