"""make_session(config=None) has a config of its own where it is given none."""
# expect: safe

import tensorflow as tf


def make_session(config=None):
    if config is None:
        config = tf.ConfigProto(allow_soft_placement=True)
        config.gpu_options.allow_growth = True
    return tf.Session(config=config)


with make_session() as sess:
    sess.run(tf.random_uniform([8]))
