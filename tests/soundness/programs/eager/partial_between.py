"""An operation that functools.partial was given runs between a config and its session."""
# tensorflow: 2

import functools

import tensorflow as tf

ones = functools.partial(tf.ones, [1])
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
print(ones().numpy())
with tf.Graph().as_default():
    sess = tf.compat.v1.Session(config=config)
    print(sess.run(tf.constant(1.0)))
