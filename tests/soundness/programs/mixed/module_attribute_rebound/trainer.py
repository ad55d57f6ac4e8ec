import settings
import tensorflow as tf


def run():
    with tf.Session(config=settings.CONFIG) as sess:
        sess.run(tf.random_uniform([8]))
        print(len(sess.list_devices()))
