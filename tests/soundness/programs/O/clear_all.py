"""Clear() takes all settings back."""

import tensorflow as tf

config = tf.ConfigProto(device_count={"GPU": 0}, log_device_placement=True)
config.Clear()
config.gpu_options.per_process_gpu_memory_fraction = 0.25
with tf.Session(config=config) as sess:
    sess.run(tf.random_uniform([8]))
