"""A caller asks for unified memory by a parameter that has None as its default."""

import tensorflow as tf


def get_session(fraction=None):
    config = tf.ConfigProto()
    if fraction is not None:
        config.gpu_options.per_process_gpu_memory_fraction = fraction
    return tf.Session(config=config)


sess = get_session(2.0)
print(sess.run(tf.constant(1)))
