"""A fraction is a parameter with None as its default; all calls are seen, and a test excludes None."""
# expect: safe

import tensorflow as tf


def get_session(fraction=None):
    config = tf.ConfigProto()
    if fraction is not None:
        config.gpu_options.per_process_gpu_memory_fraction = fraction
    return tf.Session(config=config)


sess = get_session(0.4)
print(sess.run(tf.constant(1)))
