"""A config is replaced by what another variable holds, which is None."""

import tensorflow as tf

other = None
config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
config = other
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
