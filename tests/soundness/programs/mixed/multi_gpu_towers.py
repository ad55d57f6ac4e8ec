"""Towers: one device per GPU that was found, a session with soft placement."""

import tensorflow as tf
from tensorflow.python.client import device_lib


def gpus():
    return [d.name for d in device_lib.list_local_devices() if d.device_type == "GPU"]


towers = []
for name in gpus():
    with tf.device(name):
        towers.append(tf.random_uniform([4]))
config = tf.ConfigProto(allow_soft_placement=True, log_device_placement=False)
with tf.Session(config=config) as sess:
    print([value.shape for value in sess.run(towers)])
