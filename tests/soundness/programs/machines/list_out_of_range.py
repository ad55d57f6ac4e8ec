"""visible_device_list "1" on a machine with one GPU fails in both."""
# gpus: sim:16GiB

import tensorflow as tf

config = tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list="1"))
try:
    tf.Session(config=config).run(tf.random_uniform([8]))
except Exception:
    print("failed")
