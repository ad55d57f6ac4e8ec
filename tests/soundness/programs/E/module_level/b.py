import tensorflow as tf


def go():
    with tf.Session() as sess:
        sess.run(tf.random_uniform([8]))
