"""A variable of the environment that the program sets takes the place of the fraction."""

import os

os.environ["TF_DEVICE_MIN_SYS_MEMORY_IN_MB"] = "300"

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=0.5))
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
