"""A function takes a config of its own with `or`, and some calls give one."""
# expect: safe

import tensorflow as tf


def make(config=None):
    return tf.Session(
        config=config or tf.ConfigProto(allow_soft_placement=True, device_count={"GPU": 1})
    )


if __name__ == "__main__":
    with make(config=tf.ConfigProto(log_device_placement=True)) as sess:
        print(sess.run(tf.constant(1.0)))
    with make() as sess:
        print(sess.run(tf.constant(2.0)))
    with make(None) as sess:
        print(sess.run(tf.constant(3.0)))
