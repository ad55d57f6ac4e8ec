"""A child shows the GPU that the session of its parent hid; how it fails is seen."""

import os

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 1})
session = tf.Session(config=config)
child = os.fork()
if not child:
    try:
        tf.Session()
        os._exit(0)
    except BaseException:
        os._exit(1)
print("child", os.waitpid(child, 0)[1])
