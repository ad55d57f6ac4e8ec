"""A list of two of four GPUs."""
# gpus: sim:4x8GiB

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="1,3"))
with tf.Session(config=config) as sess:
    print(len(sess.list_devices()))
    sess.run(tf.random_uniform([8]))
