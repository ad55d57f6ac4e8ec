import tensorflow as tf


def check():
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(tf.random_uniform([4]))
