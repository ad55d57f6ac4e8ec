"""A part of a config is filled before the config is built: defaults are put back in front of that."""
# expect: safe

import tensorflow as tf


def make(gpu):
    options = tf.GPUOptions()
    if gpu:
        options.visible_device_list = "0"
    return tf.Session(config=tf.ConfigProto(gpu_options=options))


for gpu in (0, 1, 0):
    with make(gpu) as sess:
        print(len(sess.list_devices()))
