import tensorflow as tf


def run():
    with tf.Graph().as_default():
        with tf.Session(config=tf.ConfigProto(device_count={"GPU": 0})) as sess:
            sess.run(tf.random_uniform([8]))
