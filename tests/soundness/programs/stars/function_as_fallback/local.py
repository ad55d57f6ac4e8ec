import tensorflow as tf
def make():
    return tf.ConfigProto(gpu_options=tf.GPUOptions(visible_device_list='1'))
