"""An item of a dictionary is changed through another name before its fields are unpacked."""

import tensorflow as tf

DEFAULTS = {"session": {"log_device_placement": False}}
ours = DEFAULTS["session"]
ours["device_count"] = {"GPU": 1}

with tf.Session(config=tf.ConfigProto(**DEFAULTS["session"])) as sess:
    print(len(sess.list_devices()))
