import tensorflow as tf


def cpu():
    with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
        sess.run(tf.random_uniform([8]))
