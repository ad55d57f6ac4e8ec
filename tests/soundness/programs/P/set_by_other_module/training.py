import tensorflow as tf

COUNT = 1


def train(callback):
    config = tf.ConfigProto(device_count={"GPU": COUNT})
    callback()
    with tf.Session(config=config) as sess:
        print(len(sess.list_devices()))
