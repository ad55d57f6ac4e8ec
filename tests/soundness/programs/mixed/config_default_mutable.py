"""A config in a default argument changes from call to call."""

import tensorflow as tf


def run(count, config=tf.ConfigProto()):
    config.device_count["GPU"] = config.device_count.get("GPU", 2) - count
    with tf.Graph().as_default(), tf.Session(config=config) as sess:
        return len(sess.list_devices())


print(run(0), run(1), run(1))
