"""A session with a config ignores what the program set by tf.config."""

import tensorflow as tf

tf.config.set_visible_devices([], "GPU")
with tf.Session() as sess:
    print(len(sess.list_devices()))
config = tf.ConfigProto(allow_soft_placement=True)
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
