"""A config is built in any case, but only some runs give it to the variable that is None."""

import sys

import tensorflow as tf

config = None
own = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
if len(sys.argv) > 4:
    config = own
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
