"""contextlib.ExitStack opens sessions with configs and a plain one."""

import contextlib

import tensorflow as tf

configs = [tf.ConfigProto(device_count={"GPU": 1}), None, tf.ConfigProto(device_count={"GPU": 0})]
with contextlib.ExitStack() as stack:
    sessions = [
        stack.enter_context(tf.Session(graph=tf.Graph(), config=config)) for config in configs
    ]
    print([len(sess.list_devices()) for sess in sessions])
