"""A function makes a config of its own where a call gives none, and some calls give one."""
# expect: safe

import tensorflow as tf


def make(config=None):
    if config is None:
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
    return tf.Session(config=config)


if __name__ == "__main__":
    with make(config=tf.ConfigProto(log_device_placement=True)) as sess:
        print(sess.run(tf.constant(1.0)))
    with make() as sess:
        print(sess.run(tf.constant(2.0)))
    with make(None) as sess:
        print(sess.run(tf.constant(3.0)))
