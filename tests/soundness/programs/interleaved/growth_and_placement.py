"""A session of one config, one of another, and one of the first config again."""
# expect: safe

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
other = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(1)))
with tf.Session(config=other) as sess:
    print(sess.run(tf.constant(2)))
with tf.Session(config=config) as sess:
    print(sess.run(tf.constant(3)))
