"""Options that are built in one branch only are not those of each session."""

import tensorflow as tf


def session(cpu):
    if cpu:
        options = tf.GPUOptions(allow_growth=True)
    else:
        options = tf.GPUOptions()
    count = {"GPU": 0 if cpu else 2}
    return tf.Session(config=tf.ConfigProto(gpu_options=options, device_count=count))


print(len(session(True).list_devices()))
print(len(session(False).list_devices()))
