"""The order of GPUs is put together."""

import tensorflow as tf

gpus = [1, 0]
options = tf.GPUOptions(visible_device_list=",".join(map(str, gpus)))
with tf.Session(config=tf.ConfigProto(gpu_options=options)) as sess:
    sess.run(tf.random_uniform([8]))
