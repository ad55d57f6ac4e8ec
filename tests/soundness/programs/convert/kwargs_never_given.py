"""A function hands its keyword arguments on to the config, and no call gives any."""
# expect: safe

import tensorflow as tf


def make_session(growth=True, **kwargs):
    config = tf.ConfigProto(allow_soft_placement=True, **kwargs)
    config.gpu_options.allow_growth = growth
    return tf.Session(config=config)


sess = make_session()
print(sess.run(tf.constant(1.0)))
