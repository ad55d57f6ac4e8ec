import tensorflow as tf


def go():
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto()) as sess:
        with tf.device("/gpu:1"):
            sess.run(tf.random_uniform([8]))
