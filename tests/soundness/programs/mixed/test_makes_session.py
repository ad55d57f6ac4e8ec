"""The test of a conditional expression makes a session without a config."""

import tensorflow as tf
def default():
    with tf.Session() as s: print(s.run(tf.constant(1)))
    return True
config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
sess = tf.Session(config=config) if default() else None
print(len(sess.list_devices()))
