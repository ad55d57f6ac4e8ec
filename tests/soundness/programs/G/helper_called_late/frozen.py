import tensorflow as tf


def devices():
    config = tf.compat.v1.ConfigProto(allow_soft_placement=True, device_count={"GPU": 1})
    with tf.Graph().as_default():
        with tf.compat.v1.Session(config=config) as sess:
            return len(sess.list_devices())
