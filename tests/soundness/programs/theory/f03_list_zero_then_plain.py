"""visible_device_list "0", then a plain session, whose refusal the program survives."""

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="0"))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
try:
    print(len(tf.Session().list_devices()))
except tf.errors.OpError as error:
    print(type(error).__name__)
