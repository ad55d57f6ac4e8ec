"""The target of the assignment is computed after the session: its key makes a plain one."""

import tensorflow as tf

sessions = {}


def key():
    return len(tf.Session().list_devices())


sessions[key()] = tf.Session(config=tf.ConfigProto(device_count={"GPU": 1}))
print({name: len(sess.list_devices()) for name, sess in sessions.items()})
