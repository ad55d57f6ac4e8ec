"""A setter that is a value replaces a variable of the main module."""

import __main__

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
list(map(setattr, [__main__], ["config"], [None]))
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
