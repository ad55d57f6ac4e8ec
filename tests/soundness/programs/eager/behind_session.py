"""Eager code behind the session finds the GPUs that the session made."""
# expect: safe
# tensorflow: 2

import tensorflow as tf

config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Graph().as_default():
    y = tf.constant(1.0) + 2.0
    with tf.compat.v1.Session(config=config) as sess:
        print(sess.run(y))
print((tf.constant(1.0) + 2.0).numpy())
