"""A variable in place of the fraction is a keyword of `os.environ.update`."""

import os

import tensorflow as tf

os.environ.update(TF_DEVICE_MIN_SYS_MEMORY_IN_MB="300")
config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.5))
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
