"""A parameter that every call leaves at its default."""
# expect: safe

import tensorflow as tf


def session(fraction=0.4, growth=False):
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = fraction
    config.gpu_options.allow_growth = growth
    return tf.Session(config=config)


with session() as sess:
    sess.run(tf.random_uniform([8]))
