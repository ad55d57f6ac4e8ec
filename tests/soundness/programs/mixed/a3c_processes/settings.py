import tensorflow as tf


def config(number):
    made = tf.ConfigProto(allow_soft_placement=True)
    made.gpu_options.visible_device_list = str(number)
    made.gpu_options.allow_growth = True
    return made
