import tensorflow as tf


def gpu_options():
    return tf.GPUOptions(visible_device_list='1')
