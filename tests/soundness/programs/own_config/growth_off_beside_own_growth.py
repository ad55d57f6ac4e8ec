"""The program has GPUs grow by tf.config, and a config that says they do not."""

import tensorflow as tf
for g in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(g, True)
c = tf.ConfigProto()
c.gpu_options.allow_growth = False
with tf.Session(config=c) as s:
    s.run(tf.random_uniform([2]))
