import tensorflow as tf


def main():
    config = tf.ConfigProto(device_count={"GPU": 0})
    with tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
