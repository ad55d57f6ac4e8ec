import tensorflow as tf


def count_gpus():
    return len(tf.config.experimental.list_physical_devices("GPU"))
