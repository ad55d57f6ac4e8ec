"""A session is tried with less and less memory until it works."""

import tensorflow as tf


def open_session():
    for fraction in (2.0, 1.5, 0.5):
        options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction)
        try:
            sess = tf.Session(config=tf.ConfigProto(gpu_options=options))
            sess.run(tf.random_uniform([8]))
            return fraction
        except Exception as error:
            print(type(error).__name__)
    return None


print(open_session())
