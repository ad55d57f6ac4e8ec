import settings
import tensorflow as tf


def work(number):
    with tf.Session(config=settings.config(number)) as sess:
        sess.run(tf.random_uniform([8]))
