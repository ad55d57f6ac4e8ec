import tensorflow as tf

from .gpu import config  # half of the GPU


def run():
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1)))
