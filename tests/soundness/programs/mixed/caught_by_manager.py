"""A context manager of the program is told which exception ended it."""

import tensorflow as tf


class Log:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        print(kind.__name__ if kind else "fine")
        return True


def train():
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="5"))
    with tf.Session(config=config) as sess:
        print(sess.run(tf.constant(1.0)))


with Log():
    train()
