import tensorflow as tf
from registry import experiment


@experiment
def baseline():
    with tf.Graph().as_default(), tf.Session() as sess:
        sess.run(tf.random_uniform([8]))
        return len(sess.list_devices())


@experiment
def small():
    config = tf.ConfigProto(device_count={"GPU": 1})
    config.gpu_options.allow_growth = True
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        sess.run(tf.random_uniform([8]))
        return len(sess.list_devices())
