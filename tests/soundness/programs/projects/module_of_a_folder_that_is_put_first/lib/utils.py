import tensorflow as tf


def make_config():
    config = tf.ConfigProto(allow_soft_placement=True)
    config.gpu_options.visible_device_list = '1'
    return config
