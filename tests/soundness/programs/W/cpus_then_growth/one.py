import tensorflow as tf


def go():
    with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2, "GPU": 0})) as sess:
        print(len(sess.list_devices()))
