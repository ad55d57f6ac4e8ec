"""Only one of two calls gives a fraction: the other session has none."""

import tensorflow as tf


def get_session(fraction=None):
    config = tf.ConfigProto()
    if fraction is not None:
        config.gpu_options.per_process_gpu_memory_fraction = fraction
    return tf.Session(config=config)


with get_session(0.4) as sess:
    print(sess.run(tf.constant(1)))
with get_session() as sess:
    print(sess.run(tf.constant(2)))
