"""compat.v1 without disable_v2_behavior: eager code stands beside a graph session."""
# tensorflow: 2

import tensorflow.compat.v1 as tf

with tf.Graph().as_default():
    config = tf.ConfigProto(device_count={"GPU": 1}, allow_soft_placement=True)
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))
print(tf.executing_eagerly(), (tf.ones([2]) + 1.0).numpy().shape)
