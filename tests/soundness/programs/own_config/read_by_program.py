"""The program reads tf.config after its session: what it reads is printed."""

import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 1})
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
print(len(tf.config.get_visible_devices("GPU")), tf.config.get_soft_device_placement())
