"""A dictionary of options has a default that a condition replaces, as if the field was set twice."""
# expect: safe

import sys

import tensorflow as tf

options = dict({"allow_soft_placement": False, "log_device_placement": False})
if len(sys.argv) < 5:
    options["gpu_options"] = tf.GPUOptions(per_process_gpu_memory_fraction=0.5)
    options["allow_soft_placement"] = True
else:
    options["device_count"] = {"GPU": 0}
with tf.Session(config=tf.ConfigProto(**options)) as sess:
    sess.run(tf.random_uniform([8]))
