import tensorflow as tf


def main():
    with tf.Session() as sess:
        sess.run(tf.random_uniform([8]))
