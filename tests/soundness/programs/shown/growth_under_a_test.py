"""The second session shows GPUs that the first hid, which grew."""

import tensorflow as tf


def session(cpu=False, growth=False):
    config = tf.ConfigProto()
    if cpu:
        config.device_count["GPU"] = 0
    if growth:
        config.gpu_options.allow_growth = True
    return tf.Session(config=config)


first = session(cpu=True, growth=True)
print(len(first.list_devices()))
second = session()
print(len(second.list_devices()), second.run(tf.ones([2])).shape)
