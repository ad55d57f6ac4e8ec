import tensorflow as tf


def check():
    with tf.Graph().as_default(), tf.Session() as sess:
        print(sess.run(tf.random_uniform([4])).shape)
