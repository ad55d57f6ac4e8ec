import tensorflow as tf


def count(gpus):
    config = tf.compat.v1.ConfigProto(device_count={"GPU": gpus})
    with tf.Graph().as_default(), tf.compat.v1.Session(config=config) as sess:
        return len(sess.list_devices())
