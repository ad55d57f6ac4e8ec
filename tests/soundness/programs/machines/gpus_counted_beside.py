"""A session that counts its GPUs, and one without a list, which has all."""

import tensorflow as tf

count = len("x")
config = tf.ConfigProto()
config.gpu_options.visible_device_list = ",".join(map(str, range(count)))
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
with tf.Session() as sess:
    sess.run(tf.random_uniform([8]))
    print([device.name for device in sess.list_devices()])
