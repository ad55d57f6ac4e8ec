"""device_lib lists the devices first: it makes the GPUs with all their memory."""

import tensorflow as tf
from tensorflow.python.client import device_lib

names = [device.name for device in device_lib.list_local_devices() if device.device_type == "GPU"]
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
print(len(names))
