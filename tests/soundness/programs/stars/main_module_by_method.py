"""`__setattr__` of the main module replaces a variable."""

import __main__

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True, gpu_options=tf.GPUOptions(visible_device_list='1'))
__main__.__setattr__("con" + "fig", None)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
