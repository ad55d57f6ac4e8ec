import tensorflow as tf

from . import evaluator


def fit():
    sess = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
    sess.run(tf.random_uniform([8]))
    evaluator.evaluate()
