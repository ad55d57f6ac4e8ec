"""A fraction of a small card is less than 1 MiB, which is no limit of tf.config."""

import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.per_process_gpu_memory_fraction = 0.001
sess = tf.Session(config=config)
print(sess.run(tf.constant(1)))
