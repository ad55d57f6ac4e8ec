import tensorflow as tf
from settings import config as given


def run():
    with tf.Session(config=given) as sess:
        print(sess.run(tf.constant([1.0]) * 2))
