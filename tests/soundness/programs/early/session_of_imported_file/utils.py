import tensorflow.compat.v1 as tf


def open_session(config=None):
    return tf.Session(config=config)


first = tf.ConfigProto()
session = open_session(config=first)
with session.graph.as_default():
    with tf.device("/device:GPU:5"):
        there = tf.constant([1.0]) + tf.ones([1])
    try:
        print(session.run(there).shape)
    except Exception as error:
        print(type(error).__name__)


def later():
    return tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=False)))
