"""What a function returns has another name, and gets more settings."""

import tensorflow as tf


def configure(config, growth=True):
    config.gpu_options.allow_growth = growth
    return config


base = tf.ConfigProto()
made = configure(base, growth=False)
made.gpu_options.per_process_gpu_memory_fraction = 0.25
with tf.Session(config=made) as sess:
    print(sess.run(tf.constant(1)))
