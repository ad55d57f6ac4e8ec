import tensorflow as tf


def main():
    with tf.Graph().as_default(), tf.Session() as sess, tf.device("/gpu:1"):
        sess.run(tf.random_uniform([8]))
