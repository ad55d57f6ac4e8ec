import tensorflow as tf


def evaluate():
    sess = tf.Session()
    print(len(sess.list_devices()))
    sess.run(tf.random_uniform([8]))
