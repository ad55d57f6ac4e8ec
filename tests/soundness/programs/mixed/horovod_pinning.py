"""Horovod: the GPU of the local rank, growth, and a plain session for a check on rank 0."""

import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
if hvd.rank() == 0:
    print(len(tf.Session().list_devices()))
