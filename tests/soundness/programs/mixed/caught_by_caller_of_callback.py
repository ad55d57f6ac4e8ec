"""A function that is handed on makes the session; who calls it catches TensorFlow's refusal."""

import tensorflow as tf


def train():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="5"))
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))


def attempt(function):
    try:
        function()
    except tf.errors.OpError as error:
        print(type(error).__name__)


attempt(train)
