import settings
import tensorflow as tf


def run():
    with tf.Session(config=settings.config) as sess:
        print(sess.run(tf.constant([1.0]) * 2))
