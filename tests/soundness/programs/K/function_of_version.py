"""A function decides by the version, and returns early."""
# tensorflow: 2

import tensorflow as tf


def limit_memory():
    if tf.__version__[0] == "2":
        return
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = 0.4
    tf.keras.backend.set_session(tf.Session(config=config))


limit_memory()
print(float(tf.constant(3.0)))
