"""The same helper in a script that is called as tests are."""
# expect: safe

import tensorflow as tf


def dense(x, n):
    w = tf.get_variable("w", [x.get_shape().as_list()[-1], n])
    return tf.matmul(x, w)


x = tf.placeholder(tf.float32, [None, 4])
y = dense(x, 2)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.global_variables_initializer())
