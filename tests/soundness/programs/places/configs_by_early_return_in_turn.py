"""A function returns one of two configs, the first one early, and is called for each."""

import tensorflow as tf


def make_config(hidden):
    if hidden:
        return tf.ConfigProto(device_count={"GPU": 0})
    return tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))


for hidden in (False, True):
    with tf.Session(config=make_config(hidden)) as sess:
        print(sess.run(tf.constant(1)), len(sess.list_devices()))
