"""A tf.function runs before the session; the session's config keeps nothing of it."""
# tensorflow: 2

import tensorflow as tf


@tf.function
def double(x):
    return x * 2


value = double(tf.ones([2]) + tf.ones([2]))
v1 = tf.compat.v1
config = v1.ConfigProto()
config.gpu_options.allow_growth = True
sess = v1.Session(graph=tf.Graph(), config=config)
print(value.shape, len(sess.list_devices()))
