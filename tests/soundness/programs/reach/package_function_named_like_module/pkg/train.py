import tensorflow as tf


def train():
    config = tf.ConfigProto(device_count={"GPU": 1})
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        print(len(sess.list_devices()))
