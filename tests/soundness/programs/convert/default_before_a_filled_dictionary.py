"""A dictionary is filled before the config is built: defaults are put back in front of that."""
# expect: safe

import tensorflow as tf


def make(gpu):
    options = {}
    if gpu:
        options["allow_soft_placement"] = True
    else:
        options["device_count"] = {"GPU": 0}
    return tf.Session(config=tf.ConfigProto(**options))


for gpu in (0, 1, 0):
    with make(gpu) as sess:
        print([device.name for device in sess.list_devices()])
