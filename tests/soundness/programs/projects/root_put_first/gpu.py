import tensorflow as tf
def make_config():
    config = tf.ConfigProto()
    config.gpu_options.visible_device_list = '1'
    return config
